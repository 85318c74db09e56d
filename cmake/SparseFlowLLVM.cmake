# Finds LLVM/MLIR 22.1 and defines the helpers for targets that use them.
#
# Three facts about the packaged LLVM decide what stands here:
#  * MLIR component targets are static archives unless MLIR_LINK_MLIR_DYLIB is
#    set, and two copies of MLIR in one process break TypeIDs. So nothing here
#    ever links a component: every target links MLIR (libMLIR.so) and LLVM.
#  * Without MLIR_BINARY_DIR, add_mlir_doc writes below the file-system root.
#  * LLVM is built with RTTI and without exceptions.

# The version files accept 22.1 only, not a bare 22.
find_package(MLIR 22.1 REQUIRED CONFIG
  HINTS /usr/lib/llvm-22/lib/cmake/mlir)
find_package(LLVM 22.1 REQUIRED CONFIG
  HINTS /usr/lib/llvm-22/lib/cmake/llvm)
message(STATUS "SparseFlow: LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
set(MLIR_LINK_MLIR_DYLIB ON)
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/lib)
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})

add_library(sparseflow_llvm INTERFACE)
target_include_directories(sparseflow_llvm SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_include_directories(sparseflow_llvm INTERFACE
  ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include)
target_compile_definitions(sparseflow_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
target_link_libraries(sparseflow_llvm INTERFACE MLIR LLVM sparseflow_flags)

# One precompiled header serves every library: without it a translation unit
# spends most of its time reading MLIR's headers.
add_library(sparseflow_pch OBJECT ${CMAKE_SOURCE_DIR}/cmake/Precompiled.cpp)
target_link_libraries(sparseflow_pch PRIVATE sparseflow_llvm)
target_precompile_headers(sparseflow_pch PRIVATE
  ${CMAKE_SOURCE_DIR}/cmake/Precompiled.h)

# sparseflow_add_library(NAME sources... [DEPENDS tablegen-targets] [LINK libs])
# A static library of the compiler, compiled against the precompiled header.
function(sparseflow_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(SparseFlow::${name} ALIAS ${name})
  target_link_libraries(${name} PUBLIC sparseflow_llvm ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM sparseflow_pch)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY SPARSEFLOW_LIBRARIES ${name})
endfunction()

# sparseflow_add_tool(NAME sources... LINK libs): an executable on LLVM.
function(sparseflow_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} sparseflow_llvm)
  target_precompile_headers(${name} REUSE_FROM sparseflow_pch)
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

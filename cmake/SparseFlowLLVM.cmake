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
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})

add_library(sparseflow_llvm INTERFACE)
# An installed package looks for LLVM itself (SparseFlowConfig.cmake).
target_include_directories(sparseflow_llvm SYSTEM INTERFACE
  $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}>
  $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>)
target_include_directories(sparseflow_llvm INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:include>)
target_compile_definitions(sparseflow_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
target_link_libraries(sparseflow_llvm INTERFACE MLIR LLVM)
set_target_properties(sparseflow_llvm PROPERTIES EXPORT_NAME Base)

# One precompiled header serves every library: without it a translation unit
# spends most of its time reading MLIR's headers.
add_library(sparseflow_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp)
target_link_libraries(sparseflow_pch PRIVATE sparseflow_llvm)
target_compile_options(sparseflow_pch PRIVATE ${SPARSEFLOW_COMPILE_OPTIONS})
# Without the time of its making a header from a clean build is the same file,
# and ccache finds what was compiled with it.
target_compile_options(sparseflow_pch PRIVATE
  $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
target_precompile_headers(sparseflow_pch PRIVATE
  ${PROJECT_SOURCE_DIR}/cmake/Precompiled.h)
# The project's own dialects, for what reads them in most of its units: a third of
# what such a unit costs. A change of their operations compiles all of these again.
set(dialects ${PROJECT_SOURCE_DIR}/include/SparseFlow/Dialect)
sparseflow_add_chained_pch(sparseflow_dialect_pch sparseflow_pch
  ${dialects}/SparseFlow/IR/SparseFlow.h
  LINK sparseflow_llvm DEPENDS SparseFlowDialectIncGen)
sparseflow_add_chained_pch(sparseflow_tile_pch sparseflow_dialect_pch
  ${dialects}/SFTile/IR/SFTile.h
  LINK sparseflow_llvm DEPENDS SFTileIncGen)
if(SPARSEFLOW_ENABLE_TESTS)
  sparseflow_add_chained_pch(sparseflow_test_pch sparseflow_pch <gtest/gtest.h>
    LINK sparseflow_llvm GTest::gtest)
endif()

# sparseflow_add_library(NAME sources... [DEPENDS tablegen-targets] [LINK libs]
#                        [PCH header])
# A static library of the compiler, compiled against a precompiled header
# (sparseflow_pch unless another is named).
# Projects that embed it link SparseFlow::NAME without the prefix SparseFlow:
# SparseFlow::Compiler.
function(sparseflow_add_library name)
  cmake_parse_arguments(ARG "" "PCH" "DEPENDS;LINK" ${ARGN})
  if(NOT ARG_PCH)
    set(ARG_PCH sparseflow_pch)
  endif()
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  string(REGEX REPLACE "^SparseFlow" "" exported ${name})
  add_library(SparseFlow::${exported} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${exported})
  target_link_libraries(${name} PUBLIC sparseflow_llvm ${ARG_LINK})
  target_compile_options(${name} PRIVATE ${SPARSEFLOW_COMPILE_OPTIONS})
  sparseflow_reuse_pch(${name} ${ARG_PCH})
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
  target_compile_options(${name} PRIVATE ${SPARSEFLOW_COMPILE_OPTIONS})
  target_precompile_headers(${name} REUSE_FROM sparseflow_pch)
  # LLVM's libraries are not where the loader looks by itself.
  set_target_properties(${name} PROPERTIES
    INSTALL_RPATH "$ORIGIN/../lib;${LLVM_LIBRARY_DIR}")
  if(SPARSEFLOW_ENABLE_INSTALL)
    install(TARGETS ${name} RUNTIME DESTINATION bin COMPONENT tools)
  endif()
endfunction()

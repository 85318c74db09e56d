# Compile flags and target helpers shared by the whole tree.

# Libraries take the options themselves: what they linked would reach the
# projects that link them.
# Clang reports libstdc++'s own use of what it deprecates (std::stable_sort).
set(SPARSEFLOW_COMPILE_OPTIONS -Wall -Wextra -Wno-unused-parameter
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
  $<$<BOOL:${SPARSEFLOW_WERROR}>:-Werror>)
add_library(sparseflow_flags INTERFACE)
target_compile_options(sparseflow_flags INTERFACE ${SPARSEFLOW_COMPILE_OPTIONS})

# sparseflow_add_chained_pch(NAME BASE HEADER LINK libs... [DEPENDS targets])
# The precompiled header NAME holds what BASE holds, and HEADER. Clang reads BASE to
# make it, so that it costs the seconds of HEADER alone; other compilers cannot, and
# units compiled with NAME use BASE there.
function(sparseflow_add_chained_pch name base header)
  cmake_parse_arguments(ARG "" "" "LINK;DEPENDS" ${ARGN})
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    get_property(first GLOBAL PROPERTY SPARSEFLOW_PCH_${base})
    if(NOT first)
      set(first ${base})
    endif()
    set_property(GLOBAL PROPERTY SPARSEFLOW_PCH_${name} ${first})
    return()
  endif()
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp)
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  get_target_property(folder ${base} BINARY_DIR)
  set(read ${folder}/CMakeFiles/${base}.dir/cmake_pch.hxx.pch)
  target_compile_options(${name} PRIVATE ${SPARSEFLOW_COMPILE_OPTIONS}
    "SHELL:-Xclang -fno-pch-timestamp"
    "SHELL:-Xclang -include-pch -Xclang ${read}")
  target_precompile_headers(${name} PRIVATE ${header})
  add_dependencies(${name} ${base} ${ARG_DEPENDS})
  # Between object libraries that orders nothing.
  set_source_files_properties(
    ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir/cmake_pch.hxx.cxx
    PROPERTIES OBJECT_DEPENDS ${read})
endfunction()

# sparseflow_reuse_pch(TARGET NAME): TARGET is compiled with a precompiled header.
function(sparseflow_reuse_pch target name)
  get_property(first GLOBAL PROPERTY SPARSEFLOW_PCH_${name})
  if(first)
    set(name ${first})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()

# One precompiled header for what links no LLVM: half of what such a unit costs is
# the JSON library. SparseFlowLLVM.cmake has the compiler's.
# sparseflow_add_host_pch(NAME FLAGS...): the header for units compiled with FLAGS.
find_package(nlohmann_json 3.11 REQUIRED)
function(sparseflow_add_host_pch name)
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp)
  # With Clang what the header instantiates is made once, not in every unit; and
  # without its time it is the same file in every clean build, so that ccache
  # finds what was compiled with it.
  target_compile_options(${name} PRIVATE ${SPARSEFLOW_COMPILE_OPTIONS} ${ARGN}
    $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>
    $<$<CXX_COMPILER_ID:Clang>:-fpch-instantiate-templates>)
  target_link_libraries(${name} PRIVATE nlohmann_json::nlohmann_json)
  target_precompile_headers(${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/cmake/HostPrecompiled.h)
endfunction()
sparseflow_add_host_pch(sparseflow_host_pch)
# GoogleTest is half of what a test's unit reads besides.
if(SPARSEFLOW_ENABLE_TESTS)
  sparseflow_add_chained_pch(sparseflow_host_test_pch sparseflow_host_pch
    <gtest/gtest.h> LINK nlohmann_json::nlohmann_json GTest::gtest)
endif()

# sparseflow_add_test(NAME SOURCES... LINK libs...)
# A GoogleTest executable registered with CTest under its own name.
function(sparseflow_add_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  if(ARG_LINK MATCHES "SparseFlow")
    sparseflow_reuse_pch(${name} sparseflow_test_pch)
  else()
    sparseflow_reuse_pch(${name} sparseflow_host_test_pch)
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK} sparseflow_flags
    GTest::gtest GTest::gtest_main Threads::Threads)
  add_test(NAME ${name} COMMAND ${name})
  set_property(GLOBAL APPEND PROPERTY SPARSEFLOW_UNIT_TESTS ${name})
endfunction()

# Compile flags and target helpers shared by the whole tree.

# Libraries take the options themselves: what they linked would reach the
# projects that link them.
# Clang reports libstdc++'s own use of what it deprecates (std::stable_sort).
set(SPARSEFLOW_COMPILE_OPTIONS -Wall -Wextra -Wno-unused-parameter
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
  $<$<BOOL:${SPARSEFLOW_WERROR}>:-Werror>)
add_library(sparseflow_flags INTERFACE)
target_compile_options(sparseflow_flags INTERFACE ${SPARSEFLOW_COMPILE_OPTIONS})

# sparseflow_add_test(NAME SOURCES... LINK libs...)
# A GoogleTest executable registered with CTest under its own name.
function(sparseflow_add_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} sparseflow_flags
    GTest::gtest GTest::gtest_main Threads::Threads)
  add_test(NAME ${name} COMMAND ${name})
  set_property(GLOBAL APPEND PROPERTY SPARSEFLOW_UNIT_TESTS ${name})
endfunction()

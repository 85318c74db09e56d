# The parts without LLVM a second time, under sanitizers, inside any build.
#
# The preset `asan` instruments everything and takes as long as everything; the
# readers, the packers and the runtime, which meet files and threads that nobody
# vouches for, are small enough to be instrumented on every change.

# sparseflow_clone_target(RESULT TARGET SUFFIX FLAGS...)
# Defines TARGET-SUFFIX: the same sources, definitions and include directories,
# compiled and linked with FLAGS, and the same libraries, those of this project
# cloned likewise. An executable's own objects are used as they are: what is
# instrumented is the code under test. RESULT receives the name.
function(sparseflow_clone_target result target suffix)
  set(clone ${target}-${suffix})
  set(${result} ${clone} PARENT_SCOPE)
  if(TARGET ${clone})
    return()
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(listed ${target} SOURCES)
  if(type STREQUAL EXECUTABLE)
    set(listed $<TARGET_OBJECTS:${target}>)
  endif()
  set(sources)
  foreach(source ${listed})
    if(type STREQUAL EXECUTABLE)
      list(APPEND sources ${source})
    elseif(source MATCHES "^\\$<TARGET_OBJECTS:(.*)>$")
      sparseflow_clone_target(objects ${CMAKE_MATCH_1} ${suffix} ${ARGN})
      list(APPEND sources $<TARGET_OBJECTS:${objects}>)
    elseif(IS_ABSOLUTE ${source})
      list(APPEND sources ${source})
    else()
      list(APPEND sources ${folder}/${source})
    endif()
  endforeach()
  # Threads launch and load: what reads files of weights the linker would drop.
  if(suffix STREQUAL tsan)
    list(FILTER sources EXCLUDE REGEX
      "/runtime/src/io/(container_api|(safetensors|sfpk)(_header)?)\\.cpp$")
  endif()
  # Loops over the elements of weights would run for minutes.
  set(loops ${sources})
  list(FILTER loops INCLUDE REGEX "/runtime/(compress|src/(io|ternary|weights))/")
  set_source_files_properties(${loops} PROPERTIES COMPILE_OPTIONS -O1
    SKIP_PRECOMPILE_HEADERS ON)
  if(type STREQUAL EXECUTABLE)
    add_executable(${clone} ${sources})
  elseif(type STREQUAL OBJECT_LIBRARY)
    add_library(${clone} OBJECT ${sources})
  else()
    add_library(${clone} STATIC ${sources})
  endif()
  foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS
          INTERFACE_INCLUDE_DIRECTORIES INTERFACE_COMPILE_DEFINITIONS
          CXX_VISIBILITY_PRESET)
    get_target_property(value ${target} ${property})
    if(value)
      set_property(TARGET ${clone} PROPERTY ${property} "${value}")
    endif()
  endforeach()
  foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(listed ${target} ${property})
    set(libraries)
    foreach(library ${listed})
      # "$<LINK_ONLY:x>" is how a private library of a static one is kept.
      string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" name "${library}")
      set(wrapped ${library})
      if(TARGET ${name})
        get_target_property(kind ${name} TYPE)
        get_target_property(imported ${name} IMPORTED)
        if(NOT imported AND NOT kind STREQUAL INTERFACE_LIBRARY)
          sparseflow_clone_target(inner ${name} ${suffix} ${ARGN})
          string(REPLACE ${name} ${inner} wrapped ${library})
        endif()
      endif()
      if(NOT library MATCHES "NOTFOUND$")
        list(APPEND libraries ${wrapped})
      endif()
    endforeach()
    set_property(TARGET ${clone} PROPERTY ${property} "${libraries}")
  endforeach()
  # Behind the build type's own flags, so that these decide. Without optimization,
  # which takes a compiler two to four times as long behind a sanitizer's checks.
  # Warnings are the business of the build that is cloned.
  set(flags -O0 -g1 -UNDEBUG -w -fno-omit-frame-pointer ${ARGN})
  target_compile_options(${clone} PRIVATE ${flags})
  if(NOT type STREQUAL EXECUTABLE)
    if(NOT TARGET sparseflow_host_pch-${suffix})
      sparseflow_add_host_pch(sparseflow_host_pch-${suffix} ${flags})
    endif()
    target_precompile_headers(${clone} REUSE_FROM sparseflow_host_pch-${suffix})
  endif()
  target_link_options(${clone} PRIVATE ${ARGN})
endfunction()

# sparseflow_add_sanitized_test(TEST SUFFIX FLAGS...): TEST-SUFFIX, a test like
# TEST that fails at the first finding.
function(sparseflow_add_sanitized_test test suffix)
  sparseflow_clone_target(clone ${test} ${suffix} ${ARGN})
  add_test(NAME ${clone} COMMAND ${clone})
  set_tests_properties(${clone} PROPERTIES ENVIRONMENT
    "UBSAN_OPTIONS=print_stacktrace=1;TSAN_OPTIONS=halt_on_error=1")
endfunction()

# sparseflow_sanitizer_runs(RESULT FLAGS...): whether a program with FLAGS builds
# and runs here. Asked once a build tree.
function(sparseflow_sanitizer_runs result)
  string(MAKE_C_IDENTIFIER "SPARSEFLOW_RUNS_${ARGN}" answer)
  if(NOT DEFINED ${answer})
    set(probe ${CMAKE_CURRENT_BINARY_DIR}/${answer})
    file(WRITE ${probe}.cpp "int main() { return 0; }\n")
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${ARGN} ${probe}.cpp -o ${probe}
      RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
      execute_process(COMMAND ${probe} RESULT_VARIABLE status OUTPUT_QUIET
        ERROR_QUIET TIMEOUT 30)
    endif()
    if(status EQUAL 0)
      set(${answer} ON CACHE INTERNAL "Programs with ${ARGN} run")
    else()
      set(${answer} OFF CACHE INTERNAL "Programs with ${ARGN} run")
    endif()
  endif()
  set(${result} ${${answer}} PARENT_SCOPE)
endfunction()

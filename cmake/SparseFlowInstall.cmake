# What `cmake --install` puts where, and the package `find_package(SparseFlow)`
# finds, in an installed tree and in a build tree:
#
#   lib/libsparseflow_rt.{so,a}, lib/pkgconfig,
#   include/sparseflow                              component runtime
#   lib/libSparseFlow*.a, include/SparseFlow        component compiler
#   lib/libSparseFlow-C.so, include/sparseflow-c    component c-api
#   bin, share                                      component tools
#   lib/cmake/SparseFlow                            all of them
#
# Targets of the runtime stand in a file of their own, so that a program that
# only launches kernels needs no LLVM.

if(NOT SPARSEFLOW_ENABLE_INSTALL)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/SparseFlow)
set(build_package_dir ${PROJECT_BINARY_DIR}/lib/cmake/SparseFlow)

set(components Runtime)
set(targets_Runtime sparseflow_rt sparseflow_rt_static)
if(SPARSEFLOW_ENABLE_COMPILER)
  list(APPEND components Compiler CAPI)
  # Libraries for embedders: those of lib, without the simulator.
  set(targets_Compiler sparseflow_llvm)
  get_property(libraries GLOBAL PROPERTY SPARSEFLOW_LIBRARIES)
  foreach(library IN LISTS libraries)
    get_target_property(source_dir ${library} SOURCE_DIR)
    cmake_path(IS_PREFIX PROJECT_SOURCE_DIR ${source_dir} inside)
    cmake_path(RELATIVE_PATH source_dir BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    if(inside AND source_dir MATCHES "^lib/" AND
       NOT source_dir STREQUAL "lib/Simulator")
      list(APPEND targets_Compiler ${library})
    endif()
  endforeach()
  if(TARGET SparseFlow-C)
    set(targets_CAPI SparseFlow-C)
  else()
    list(REMOVE_ITEM components CAPI)
  endif()
endif()

set(component_Runtime runtime)
set(component_Compiler compiler)
set(component_CAPI c-api)
foreach(part IN LISTS components)
  install(TARGETS ${targets_${part}} EXPORT SparseFlow${part}Targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component_${part}}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
      COMPONENT ${component_${part}})
  install(EXPORT SparseFlow${part}Targets NAMESPACE SparseFlow::
    DESTINATION ${package_dir} COMPONENT ${component_${part}})
  export(EXPORT SparseFlow${part}Targets NAMESPACE SparseFlow::
    FILE ${build_package_dir}/SparseFlow${part}Targets.cmake)
endforeach()

# One file for both trees: it refers to what lies beside it.
configure_file(${PROJECT_SOURCE_DIR}/cmake/SparseFlowConfig.cmake.in
  ${build_package_dir}/SparseFlowConfig.cmake @ONLY)
write_basic_package_version_file(
  ${build_package_dir}/SparseFlowConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${build_package_dir}/SparseFlowConfig.cmake
  ${build_package_dir}/SparseFlowConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT runtime)

# For programs that CMake does not build. It refers to what lies beside it, too.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
  OUTPUT_VARIABLE pkgconfig_to_prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/sparseflow.pc.in
  ${build_package_dir}/sparseflow.pc @ONLY)
install(FILES ${build_package_dir}/sparseflow.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT runtime)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/sparseflow
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DATADIR}/sparseflow COMPONENT runtime)
if(SPARSEFLOW_ENABLE_COMPILER)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/SparseFlow
    ${PROJECT_BINARY_DIR}/include/SparseFlow
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT compiler
    FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc"
    PATTERN "Simulator" EXCLUDE PATTERN CMakeFiles EXCLUDE)
  if(TARGET SparseFlow-C)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sparseflow-c
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT c-api)
  endif()
endif()

if(SPARSEFLOW_ENABLE_TOOLS)
  set(tools sparseflow-exec)
  if(SPARSEFLOW_ENABLE_COMPILER)
    list(APPEND tools sparseflow)
    foreach(tool opt translate reduce lsp-server)
      install(FILES ${PROJECT_SOURCE_DIR}/man/sparseflow-${tool}.1
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
    endforeach()
  endif()
  foreach(tool IN LISTS tools)
    install(FILES ${PROJECT_SOURCE_DIR}/man/${tool}.1
      DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
    install(FILES ${PROJECT_SOURCE_DIR}/completions/${tool}.bash
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
      RENAME ${tool} COMPONENT tools)
  endforeach()
endif()

# What `cmake --install` writes: the program, its man page and completions, the libraries with their headers, and what
# find_package(invar) reads. Nothing in it names the folder that it was installed to: it may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(invar_cmake ${CMAKE_INSTALL_LIBDIR}/cmake/invar)

install(TARGETS invar RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET invar_pictures)
  file(RELATIVE_PATH to_pictures ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/invar)
  set_target_properties(invar PROPERTIES INSTALL_RPATH "$ORIGIN/${to_pictures}")
  install(TARGETS invar_pictures LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/invar)
endif()
set_target_properties(invar_options PROPERTIES EXPORT_NAME options)
set_target_properties(invar_adjoint PROPERTIES EXPORT_NAME adjoint)
set_target_properties(invar_fem PROPERTIES EXPORT_NAME fem)
set_target_properties(invar_fluid PROPERTIES EXPORT_NAME fluid)
install(TARGETS invar_options invar_adjoint invar_fem invar_fluid EXPORT invar-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT invar-targets NAMESPACE invar:: DESTINATION ${invar_cmake})
# Headers include each other by their path from the root of the sources.
foreach(library libadjoint libfem libfluid)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${library} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/invar
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*.ipp")
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/apps/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/invar-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/invar-config.cmake
                              INSTALL_DESTINATION ${invar_cmake})
# Before 1.0 every minor version may change what the last one promised.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/invar-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/invar-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/invar-config-version.cmake
        DESTINATION ${invar_cmake})

# The program writes its own pages, so that they say what it can.
function(invar_install_output folder file)
  list(JOIN ARGN " " arguments)
  install(CODE "
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}\")
    file(MAKE_DIRECTORY \"\${folder}\")
    execute_process(COMMAND \"$<TARGET_FILE:invar>\" ${arguments} OUTPUT_FILE \"\${folder}/${file}\" COMMAND_ERROR_IS_FATAL ANY)
    message(STATUS \"Written: \${folder}/${file}\")")
endfunction()
invar_install_output(${CMAKE_INSTALL_MANDIR}/man1 invar.1 schema --man)
invar_install_output(${CMAKE_INSTALL_DATADIR}/bash-completion/completions invar completion bash)
invar_install_output(${CMAKE_INSTALL_DATADIR}/zsh/site-functions _invar completion zsh)
invar_install_output(${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d invar.fish completion fish)

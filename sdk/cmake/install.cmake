# What is installed of the SDK, as component "sdk": headers, libraries, the CMake package, schemas
# and the template. Included last, when all targets exist.
include(CMakePackageConfigHelpers)

set(package_dir lib/cmake/GantrySDK)
set_target_properties(gantry_abi PROPERTIES EXPORT_NAME abi)
set_target_properties(gantry_sdk PROPERTIES EXPORT_NAME sdk)
install(TARGETS gantry_abi gantry_sdk EXPORT GantrySDKTargets COMPONENT sdk)
install(EXPORT GantrySDKTargets NAMESPACE gantry:: DESTINATION ${package_dir} COMPONENT sdk)
install(DIRECTORY include/gantry DESTINATION include COMPONENT sdk PATTERN README.md EXCLUDE)

foreach(part schema testing)
  if(TARGET gantry_${part})
    set_target_properties(gantry_${part} PROPERTIES EXPORT_NAME ${part})
    install(TARGETS gantry_${part} EXPORT GantrySDK-${part}Targets
            ARCHIVE DESTINATION lib COMPONENT sdk)
    install(EXPORT GantrySDK-${part}Targets NAMESPACE gantry:: DESTINATION ${package_dir}
            COMPONENT sdk)
    install(DIRECTORY ${part}/include/gantry DESTINATION include COMPONENT sdk
            PATTERN README.md EXCLUDE)
  endif()
endforeach()

set(GANTRY_SHARE_DIR share/gantry)
configure_package_config_file(cmake/GantrySDKConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/GantrySDKConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS GANTRY_SHARE_DIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/GantrySDKConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/GantrySDKConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/GantrySDKConfigVersion.cmake
  cmake/GantryAddPlugin.cmake cmake/GantryManifestNote.cmake cmake/GantryDependencies.cmake
  cmake/plugin.map
  DESTINATION ${package_dir} COMPONENT sdk)
# Those of hosts, models and agents come with the server.
foreach(schemas_part plugin tools)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/schemas/${schemas_part} DESTINATION share/gantry/schemas
          COMPONENT sdk FILES_MATCHING PATTERN "*.json" PATTERN examples EXCLUDE)
endforeach()
install(FILES README.md ABI.md DESTINATION share/doc/gantry COMPONENT sdk)
install(DIRECTORY examples DESTINATION share/gantry COMPONENT sdk)
install(DIRECTORY rust DESTINATION share/gantry COMPONENT sdk)
install(DIRECTORY template/c template/cpp template/rust DESTINATION share/gantry/template
        COMPONENT sdk)

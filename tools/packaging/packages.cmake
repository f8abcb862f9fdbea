# Two Debian packages: gantry (programs, plugins, service) and gantry-sdk (headers, libraries, CMake
# package, examples, template).
set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES YES)
set(CPACK_PACKAGE_NAME gantry)
set(CPACK_PACKAGE_CONTACT "Gantry maintainers <maintainers@gantry.invalid>")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_COMPONENTS_ALL server service sdk)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_SERVER_GROUP gantry)
set(CPACK_COMPONENT_SERVICE_GROUP gantry)
set(CPACK_COMPONENT_SDK_GROUP sdk)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_GANTRY_PACKAGE_NAME gantry)
set(CPACK_DEBIAN_GANTRY_PACKAGE_SECTION net)
set(CPACK_DEBIAN_GANTRY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_GANTRY_PACKAGE_DEPENDS "adduser, tzdata")
set(CPACK_DEBIAN_GANTRY_PACKAGE_SUGGESTS "logrotate, gantry-sdk")
set(CPACK_DEBIAN_GANTRY_DESCRIPTION
    "server of tools for AI agents (Model Context Protocol)
Serves databases and plugins to AI agents under the operator's rules: the host
gantryd, its command line gantry, the built-in plugins, and a service.")
foreach(script postinst prerm postrm conffiles)
  list(APPEND CPACK_DEBIAN_GANTRY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/debian/${script})
endforeach()

set(CPACK_DEBIAN_SDK_PACKAGE_NAME gantry-sdk)
set(CPACK_DEBIAN_SDK_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_SDK_PACKAGE_DEPENDS "cmake (>= 3.25)")
set(CPACK_DEBIAN_SDK_PACKAGE_RECOMMENDS
    "gantry, g++, pkg-config, rapidjson-dev, libpcre2-dev, libgtest-dev, libgmock-dev")
set(CPACK_DEBIAN_SDK_DESCRIPTION
    "development files for plugins of Gantry
The contract's headers, the C++ wrapper, the test kit with a fake host, the
CMake package GantrySDK, examples and a template.")

include(CPack)

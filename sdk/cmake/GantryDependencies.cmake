# What gantry::schema is linked with; its headers also include RapidJSON's.
find_dependency(PkgConfig)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)

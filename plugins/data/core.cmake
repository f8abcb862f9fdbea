# gantry_data_core: the data engine without the C contract, one static library per folder of work.
gantry_module(gantry_data_store
  SOURCES
    catalog/catalog.cpp
    catalog/column_sample.cpp
    catalog/column_type.cpp
    catalog/identity.cpp
    catalog/internal_columns.cpp
    catalog/search_index.cpp
    catalog/sql_words.cpp
    catalog/virtual_table.cpp
    catalog/well_known.cpp
    model/lay_over.cpp
    model/parse.cpp
    model/read.cpp
    model/source.cpp
    policy/class_filter.cpp
    policy/floor.cpp
    policy/internal.cpp
    policy/scope.cpp
    rows/document_dialect.cpp
    rows/document_id.cpp
    rows/document_reader.cpp
    rows/field_form.cpp
    rows/object_id.cpp
    rows/row_printer.cpp
    rows/value_reader.cpp
    rows/value_writer.cpp
    sql/row_order.cpp
    store/open_store.cpp
    store/sqlite/connection.cpp
    store/sqlite/file_state.cpp
    store/sqlite/guard.cpp
    store/sqlite/match_function.cpp
    store/sqlite/pool.cpp
    store/sqlite/read_vfs.cpp
    store/sqlite/sampler.cpp
    store/sqlite/schema_reader.cpp
    store/sqlite/search_reader.cpp
    store/sqlite/sql_error.cpp
    store/sqlite/statement.cpp
    store/sqlite/statement_cache.cpp
    store/sqlite/statistics.cpp
    store/sqlite/store.cpp
    store/sqlite/writer.cpp
    store/sqlite/writer_connection.cpp
    store/sqlite/writer_foreign_keys.cpp
    store/sqlite/writer_insertion.cpp
    values/base64.cpp
    values/budget.cpp
    values/spending.cpp
    values/extended_json.cpp
    values/json_document.cpp
    values/extended_json_text.cpp
    values/iso_date.cpp
    values/json_size.cpp
    values/json_text.cpp
    values/pattern.cpp
    values/value.cpp
    values/value_builder.cpp
    values/value_order.cpp
  DEPS gantry::sdk)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
find_package(SQLite3 REQUIRED)
find_package(Threads REQUIRED)
target_include_directories(gantry_data_store PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(gantry_data_store PUBLIC SQLite::SQLite3 Threads::Threads)
target_link_libraries(gantry_data_store PRIVATE PkgConfig::PCRE2)

add_library(gantry_data_core INTERFACE)
target_link_libraries(gantry_data_core INTERFACE gantry_data_store)
set(parts expr match pipeline tables exports where ops resources watch write)
foreach(part ${parts})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${part}/*.cpp)
  if(sources)
    add_subdirectory(${part})
    target_link_libraries(gantry_data_core INTERFACE gantry_data_${part})
  endif()
endforeach()
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/tests/CMakeLists.txt)
  add_subdirectory(tests)
endif()

#!/bin/bash
# Tests include_rule.sh on a small tree: it finds each kind of wrong include and accepts right ones.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

put() {  # <file> <include>
  mkdir -p "$tree/$(dirname "$1")"
  echo "#include $2" >"$tree/$1"
}
expect_fine() {
  rm -rf "${tree:?}"/*
  put "$1" "$2"
  "$here/include_rule.sh" "$tree" >/dev/null || { echo "refused: $1 includes $2"; failures=1; }
}
expect_wrong() {
  rm -rf "${tree:?}"/*
  put "$1" "$2"
  "$here/include_rule.sh" "$tree" >/dev/null && { echo "not noticed: $1 includes $2"; failures=1; }
}

expect_fine host/rpc/a.cpp '"host/calls/calls.hpp"'
expect_fine host/http/a.cpp '<pistache/listener.h>'
expect_fine host/loader/a.cpp '<dlfcn.h>'
expect_fine host/loader/a.cpp '"host/worker/keeper.hpp"'
expect_fine host/base/a.cpp '<gantry/abi/abi.h>'
expect_fine host/calls/a.cpp '"host/observe/log.hpp"'
expect_fine plugins/x/a.cpp '<gantry/plugin.hpp>'
expect_fine sdk/testing/src/a.cpp '<dlfcn.h>'
expect_wrong host/calls/a.cpp '"host/rpc/message/era.hpp"'
expect_wrong host/base/a.cpp '"host/loader/loader.hpp"'
expect_wrong host/rpc/a.cpp '"host/loader/loader.hpp"'
expect_wrong host/worker/a.cpp '"host/loader/loader.hpp"'
expect_wrong host/plugin/a.cpp '"host/worker/keeper.hpp"'
expect_wrong host/base/a.cpp '"host/observe/log.hpp"'
expect_wrong host/observe/a.cpp '"host/config/config.hpp"'
expect_wrong host/rpc/a.cpp '<pistache/listener.h>'
expect_wrong host/rpc/a.cpp '<boost/beast/http.hpp>'
expect_wrong host/calls/a.cpp '<dlfcn.h>'
expect_wrong host/calls/a.cpp '<gantry/plugin.hpp>'
expect_wrong host/calls/a.cpp '"plugins/data/model.hpp"'
expect_fine plugins/data/store/sqlite/a.cpp '<sqlite3.h>'
expect_fine plugins/data/ops/tests/a.cpp '<sqlite3.h>'
expect_wrong plugins/data/ops/a.cpp '<sqlite3.h>'
expect_wrong plugins/data/values/a.cpp '"catalog/field.hpp"'
expect_wrong plugins/data/plan/a.cpp '"ops/request.hpp"'
expect_wrong plugins/data/ops/a.cpp '"catalog/catalog.hpp"'
expect_wrong plugins/data/store/a.cpp '<sqlite3.h>'
expect_wrong plugins/data/ops/a.cpp '"ops/b.hpp"  // cls.is_document()'
expect_wrong plugins/data/plan/a.cpp '"plan/b.hpp"  // cls->document'
expect_wrong tools/gantry/import/a.cpp '<sqlite3.h>'
expect_wrong host/app/a.cpp '<sqlite3.h>'
expect_wrong plugins/x/a.cpp '"host/base/clock.hpp"'
expect_wrong plugins/x/a.cpp '"elsewhere/a.hpp"'
expect_wrong plugins/x/a.cpp '"../y/a.hpp"'
expect_wrong sdk/include/gantry/a.hpp '<rapidjson/document.h>'
expect_fine sdk/contract/a.cpp '<rapidjson/document.h>'
expect_wrong sdk/contract/a.hpp '<rapidjson/document.h>'
expect_wrong sdk/contract/a.cpp '<gtest/gtest.h>'
expect_wrong sdk/schema/src/a.cpp '"host/base/clock.hpp"'
expect_wrong tests/calls/a.cpp '<pistache/listener.h>'

# A declaration without an include counts too.
expect_word() {  # <fine|wrong> <file> <text>
  rm -rf "${tree:?}"/*
  put "$2" '<string>'
  echo "$3" >>"$tree/$2"
  local said=fine
  "$here/include_rule.sh" "$tree" >/dev/null || said=wrong
  [ "$said" = "$1" ] || { echo "expected $1, was $said: $2 has $3"; failures=1; }
}
expect_word fine plugins/data/store/sqlite/a.cpp 'sqlite3_step(statement);'
expect_word fine plugins/data/ops/tests/a.cpp 'sqlite3_step(statement);'
expect_word wrong tools/gantry/import/a.hpp 'struct sqlite3_stmt;'
expect_word wrong tools/gantry/import/a.hpp 'sqlite3* raw() const;'
expect_word wrong plugins/data/write/a.cpp 'if (code == SQLITE_DONE) return;'
expect_word wrong plugins/data/ops/a.cpp 'sql.add("SELECT 1 FROM " + table);'
expect_word wrong plugins/data/filter/columns/a.cpp 'Fragment sql{"DELETE FROM (", {}};'
expect_word fine plugins/data/sql/a.cpp 'sql.add(" FROM ");'
expect_word fine plugins/data/ops/a.cpp 'refuse("name its class after FROM.");'
expect_word fine plugins/data/ops/a.cpp '// As the sqlite3 program prints it.'

# A plugin's files have to be there to be recognised.
expect_with_files() {  # <fine|wrong> <file> <include>
  rm -rf "${tree:?}"/*
  put plugins/data/values/utf8.hpp '<string>'
  put plugins/data/values/budget.hpp '<string>'
  put plugins/data/write/cell.hpp '<string>'
  put plugins/data/store/sqlite/store.hpp '<string>'
  put plugins/data/store/writer.hpp '<string>'
  put "$2" "$3"
  local said=fine
  "$here/include_rule.sh" "$tree" >/dev/null || said=wrong
  [ "$said" = "$1" ] || { echo "expected $1, was $said: $2 includes $3"; failures=1; }
}
expect_with_files fine tools/gantry/import/a.cpp '"values/utf8.hpp"'
expect_with_files fine plugins/data/store/a.cpp '"store/sqlite/store.hpp"'
expect_with_files wrong plugins/data/ops/a.cpp '"store/sqlite/store.hpp"'

# A class is seen through any header that includes the catalog's.
expect_through() {  # <fine|wrong> <file> <header between>
  rm -rf "${tree:?}"/*
  put plugins/data/catalog/catalog.hpp '<string>'
  put "plugins/data/$3" '"catalog/catalog.hpp"'
  put plugins/data/store/store.hpp "\"$3\""
  put "$2" '"store/store.hpp"'
  local said=fine
  "$here/include_rule.sh" "$tree" >/dev/null || said=wrong
  [ "$said" = "$1" ] || { echo "expected $1, was $said: $2 sees classes through $3"; failures=1; }
}
expect_through wrong plugins/data/ops/a.cpp catalog/column_type.hpp
expect_through fine plugins/data/write/a.cpp catalog/column_type.hpp
expect_with_files wrong tools/gantry/import/a.cpp '"store/sqlite/store.hpp"'
expect_with_files fine tools/gantry/import/a.cpp '"store/writer.hpp"'
expect_with_files wrong tools/gantry/dev/a.cpp '"store/writer.hpp"'
expect_with_files fine tools/gantry/import/a.cpp '"tools/gantry/import/b.hpp"'
expect_with_files fine tools/gantry/import/a.cpp '"write/cell.hpp"'
expect_with_files wrong plugins/data/values/a.cpp '"write/cell.hpp"'
expect_with_files fine plugins/data/values/a.cpp '"values/utf8.hpp"'
expect_with_files wrong plugins/data/errors/a.hpp '"values/utf8.hpp"'
expect_with_files wrong tools/gantry/dev/a.cpp '"write/cell.hpp"'
expect_with_files wrong tools/gantry/import/a.cpp '"values/budget.hpp"'
expect_with_files wrong tools/gantry/import/a.cpp '"plugins/data/values/utf8.hpp"'
expect_with_files wrong tools/gantry/dev/a.cpp '"values/utf8.hpp"'
expect_with_files fine tools/gantry/CMakeLists.txt 'gantry_import'
expect_with_files wrong tools/gantry/CMakeLists.txt 'gantry_data_store'
exit $failures

#!/bin/bash
# include_rule.sh <repository>: checks which folder includes which.
#
#   app -> http, stdio, control -> rpc -> calls -> auth, limits, registry, sessions, bus, approvals
#   -> plugin -> base
#   app -> loader -> worker, trust, watch, plugin -> base
#
# All may use the contract kit (sdk/contract), which uses the SDK only; gantry::schema and RapidJSON in
# its sources, not in its headers. config and observe may be used
# by all and use only base. A part uses itself and the parts to the right of its arrow. Third-party
# libraries stay in one folder: Pistache and Beast in host/http, dlfcn and Boost.DLL in host/loader (and
# in the SDK's test kit, which loads plugins too). Plugins include <gantry/…>, their own files and
# third-party libraries; the SDK includes itself. Tools include no plugin's file, but for the
# importer's list below. Only plugins/data/store/sqlite names SQLite's interface, tests excepted.
set -u
cd "$1" || exit 1
failures=0
wrong() {
  echo "$1"
  failures=$((failures + 1))
}

middle="auth limits registry sessions bus approvals plugin base"
allow() {  # <part of host>: sets `allowed` to the parts it may include
  case $1 in
    base) allowed="" ;;
    console) allowed="base" ;;
    config | observe | trust | watch | plugin) allowed="base" ;;
    worker) allowed="plugin base" ;;
    loader) allowed="worker trust watch plugin base" ;;
    auth | limits | registry | sessions | bus | approvals) allowed=$middle ;;
    calls) allowed=$middle ;;
    rpc) allowed="calls $middle" ;;
    http) allowed="console rpc calls $middle" ;;
    stdio | control) allowed="rpc calls $middle" ;;
    *) allowed="console http stdio control rpc calls loader worker trust watch $middle" ;;  # app
  esac
}

# engine_allow FOLDER: sets `allowed` to the folders of the data engine that it may include. Arrows
# point at what stands further down, so that no two folders need each other.
engine_allow() {
  local below="values errors"
  case $1 in
    errors) allowed="" ;;
    values) allowed="errors" ;;
    catalog | expr | exports) allowed=$below ;;
    model | policy) allowed="catalog $below" ;;
    view) allowed="policy catalog $below" ;;
    sql) allowed="view policy catalog $below" ;;
    rows) allowed="sql view policy catalog $below" ;;
    store) allowed="sql view model catalog $below" ;;
    statement) allowed="rows store sql view policy catalog $below" ;;
    filter) allowed="expr $below" ;;
    pipeline) allowed="filter expr $below" ;;
    tables) allowed="values" ;;
    write) allowed="store catalog $below" ;;
    journal) allowed="store sql view policy catalog $below" ;;
    columns) allowed="filter expr rows sql view policy catalog $below" ;;
    plan) allowed="pipeline columns filter expr rows store sql view policy catalog $below" ;;
    ops) allowed="journal write statement plan tables pipeline columns filter expr rows store sql view policy catalog $below" ;;
    resources) allowed="ops plan view $below" ;;
    watch) allowed="resources ops plan view $below" ;;
    *) allowed="watch resources exports journal ops plan model store view policy $below" ;;  # edge
  esac
}

# Starts no process per include: there are thousands of includes.
# Lines "file:line what" for every include below the given folders.
includes() {
  grep -rnE --include='*.h' --include='*.hpp' --include='*.c' --include='*.cpp' \
    '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' "$@" 2>/dev/null |
    sed -E 's/^([^:]+:[0-9]+):[^<"]*([<"][^>"]+[>"]).*/\1 \2/'
}

while read -r where what; do
  file=${where%%:*}
  part=${file#*/} part=${part%%/*}
  target=${what:1:-1}
  case $what in
    '"host/'*)
      to=${target#*/} to=${to%%/*}
      [ "$to" = "$part" ] && continue
      allow "$part"
      case " config observe $allowed " in
        *" $to "*)
          if { [ "$part" = config ] || [ "$part" = observe ] || [ "$part" = base ]; } &&
            [ "$to" != base ]; then
            wrong "$where: host/$part may not include host/$to (\"$target\")"
          fi
          ;;
        *) wrong "$where: host/$part may not include host/$to (\"$target\")" ;;
      esac
      ;;
    '"sdk/contract/'*) ;;
    '"plugins/'* | '"sdk/'*) wrong "$where: the host may not include $what" ;;
    '<gantry/abi/'* | '<gantry/status.hpp>' | '<gantry/result.hpp>' | '<gantry/lru.hpp>' | '<gantry/schema/'*) ;;
    '<gantry/'*) wrong "$where: of the SDK the host includes abi/, status, result, lru, schema/ only, not $what" ;;
    '<pistache/'* | '<boost/beast'*)
      [ "$part" = http ] || wrong "$where: $what belongs to host/http" ;;
    '<dlfcn.h>' | '<boost/dll'*)
      [ "$part" = loader ] || wrong "$where: $what belongs to host/loader" ;;
  esac
done < <(includes host)

# The headers of the data engine through which a source sees catalog/catalog.hpp.
sees_classes=$(includes plugins/data | sed -nE 's|^plugins/data/([^:]+\.hpp):[0-9]+ "(.+)"|\1 \2|p' | awk '
  { from[NR] = $1; to[NR] = $2 }
  END {
    sees["catalog/catalog.hpp"] = 1
    do {
      more = 0
      for (i = 1; i <= NR; ++i)
        if (sees[to[i]] && !sees[from[i]]) more = sees[from[i]] = 1
    } while (more)
    for (header in sees) if (sees[header]) printf " %s ", header
  }')

while read -r where what; do
  target=${what:1:-1}
  case $what in
    '"host/'* | '"sdk/'* | '"plugins/'* | '"../'*)
      wrong "$where: a plugin includes <gantry/…> and its own folder, not $what" ;;
    '<host/'* | '<pistache/'* | '<boost/beast'* | '<dlfcn.h>' | '<boost/dll'*)
      wrong "$where: a plugin may not include $what" ;;
    '"store/sqlite/'*)
      # open_store.cpp is the one place that chooses a store.
      case ${where%%:*} in
        plugins/data/store/* | */tests/*) ;;
        *) wrong "$where: $what belongs to plugins/data/store" ;;
      esac ;;&
    '"'*)
      # The lowest folders of the data engine.
      case ${where%%:*} in
        */tests/*) ;;
        plugins/data/*/*)
          # filter/columns is a library of its own.
          layer=${where#plugins/data/} to=${target/#filter\/columns/columns}
          if [[ $where == plugins/data/filter/columns/* ]]; then layer=columns; fi
          layer=${layer%%/*} to=${to%%/*}
          engine_allow "$layer"
          if [[ $target == */* && $to != "$layer" && " $allowed " != *" $to "* ]]; then
            wrong "$where: plugins/data/$layer may not include $to ($what)"
          fi
          # A ClassInfo knows what no agent may see, and the table's name.
          case $layer in
            catalog | model | policy | view | store | write) ;;
            *) [[ $sees_classes == *" $target "* ]] &&
              wrong "$where: plugins/data/$layer sees classes as views (view/scope.hpp), not $what" ;;
          esac ;;
      esac
      folder=${where#*/} folder=${where%%/*}/${folder%%/*}
      beside=${where%%:*} beside=${beside%/*}
      [ -e "$folder/$target" ] || [ -e "$beside/$target" ] || [[ $folder == */CMakeLists.txt ]] ||
        wrong "$where: $what is not in the plugin's folder $folder" ;;
  esac
done < <(includes plugins)

while read -r where what; do
  case $what in
    '"host/'* | '"plugins/'* | '<pistache/'* | '<boost/'*)
      wrong "$where: the SDK points at nothing of ours, not $what" ;;
    '<dlfcn.h>')
      [[ $where == sdk/testing/* ]] || wrong "$where: $what belongs to sdk/testing" ;;
    '<rapidjson/'* | '<gantry/schema/'* | '<pcre2'* | '<gtest/'* | '<gmock/'*)
      [[ $where == sdk/contract/*.hpp:* ]] &&
        wrong "$where: the contract kit's headers use gantry::sdk only, not $what"
      [[ $where == sdk/contract/* && $what != '<rapidjson/'* && $what != '<gantry/schema/'* ]] &&
        wrong "$where: the contract kit uses gantry::sdk, gantry::schema and RapidJSON only, not $what"
      [[ $where == sdk/include/* ]] && wrong "$where: gantry::sdk needs the language's library only, not $what" ;;
  esac
done < <(includes sdk)

# Tests and tools may include what they test; Pistache and dlfcn stay in their folders there too.
while read -r where what; do
  case $what in
    '<pistache/'*)
      [[ $where == tests/host/http/* ]] || wrong "$where: $what belongs to host/http" ;;
    '<boost/dll'*)
      [[ $where == tests/host/loader/* ]] || wrong "$where: $what belongs to host/loader" ;;
  esac
done < <(includes tests tools)

while read -r where; do
  wrong "$where: only plugins/data/store/sqlite names sqlite3"
done < <(grep -rnE --include='*.h' --include='*.hpp' --include='*.c' --include='*.cpp' \
  'sqlite3(\.h|_[a-z]|[ ]*\*)|SQLITE_[A-Z]' host sdk plugins tools 2>/dev/null |
  grep -vE '^(plugins/data/store/sqlite/|[^:]*/tests/)' | cut -d: -f1,2)

# What the importer may use of the data engine: values as columns store them, the description of a
# class, and the two sides of the store, without their SQLite.
importer=" values/json_text.hpp values/utf8.hpp catalog/catalog.hpp catalog/column_type.hpp"
importer+=" errors/error.hpp store/store.hpp store/writer.hpp view/scope.hpp "
while read -r where what; do
  target=${what:1:-1}
  case $what in
    '"tools/'* | '"host/'*) continue ;;
    '"plugins/'*) wrong "$where: tools may not include $what" ;;
    '"'*)
      for folder in plugins/*/; do
        [ -e "$folder$target" ] || continue
        [[ $where == tools/gantry/import/* &&
          ($target == write/* || $importer == *[[:space:]]"$target"[[:space:]]*) ]] ||
          wrong "$where: tools may not include $what of $folder"
      done
      ;;
  esac
done < <(includes tools)
while read -r where; do
  wrong "$where: only tools/gantry/import may link a plugin's library"
done < <(grep -rnE 'gantry_data_' --include=CMakeLists.txt --include='*.cmake' tools 2>/dev/null |
  grep -v '^tools/gantry/import/CMakeLists.txt:')

# How a class stores its objects is decided in rows/ and below.
while read -r where; do
  wrong "$where: only rows/ and below may ask this; use by_storage() or ClassView::is_open()"
done < <(cd plugins/data 2>/dev/null && grep -rnoE 'is_document\(\)|cls_?(\.|->)document\b' \
  --include='*.?pp' --exclude-dir=tests filter pipeline plan statement ops resources watch edge 2>/dev/null)

# A class is read by the statements of sql/, which have its boundary: no other folder writes a FROM. A
# caller's own statement (statement/) reads sub-queries that sql/ wrote.
while read -r where; do
  wrong "$where: only sql/ and store/ may write FROM; see sql/select.hpp"
done < <(cd plugins/data 2>/dev/null && grep -rnE --include='*.?pp' --exclude-dir=tests \
  '"[^"]*\bFROM ?(\(|")' catalog model policy view rows write filter pipeline plan journal ops exports \
  resources watch edge 2>/dev/null | grep -vE ':[0-9]+: *//' | cut -d: -f1,2)

[ "$failures" -eq 0 ] || echo "$failures includes break the rule of tests/layers/include_rule.sh"
[ "$failures" -eq 0 ]

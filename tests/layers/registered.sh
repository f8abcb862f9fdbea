#!/bin/bash
# registered.sh <repository>: every *_test.cpp is named in a CMakeLists.txt or .cmake of its folder
# or one above; a test that is never built cannot fail.
set -u
cd "$1" || exit 1
failures=0 seen=0
# Starts no process per test file: there are hundreds.
declare -A lists
# is_listed <folder> <name>: as a literal name, or by a glob of the folder.
is_listed() {
  [[ -v lists[$1] ]] || lists[$1]=$(cat "$1"/CMakeLists.txt "$1"/*.cmake "$1"/*/CMakeLists.txt 2>/dev/null)
  local pattern="(^|[^A-Za-z0-9_])$2(\.cpp)?([^A-Za-z0-9_]|$)|GLOB[^)]*_test\.cpp"
  [[ ${lists[$1]} =~ $pattern ]]
}
while read -r file; do
  seen=$((seen + 1))
  name=${file##*/} folder=$file
  while folder=${folder%/*}; ! is_listed "$folder" "${name%.cpp}"; do
    [[ $folder == */* ]] && continue
    echo "$file is in no CMakeLists.txt"
    failures=$((failures + 1))
    break
  done
done < <(find host sdk plugins tools tests -name '*_test.cpp' -not -path '*/node_modules/*' | sort)
echo "$seen test files, $failures not registered"
[ "$seen" -gt 0 ] && [ "$failures" -eq 0 ]

#!/bin/bash
# registered.sh <repository>: every *_test.cpp is named in a CMakeLists.txt or .cmake of its folder
# or one above; a test that is never built cannot fail.
set -u
cd "$1" || exit 1
failures=0 seen=0
while read -r file; do
  seen=$((seen + 1))
  folder=$(dirname "$file")
  found=no
  while :; do
    # A literal name, or a glob of the folder.
    if grep -qsE "(^|[^A-Za-z0-9_])$(basename "$file" .cpp)(\.cpp)?([^A-Za-z0-9_]|$)|GLOB[^)]*_test\.cpp" \
      "$folder"/CMakeLists.txt "$folder"/*.cmake "$folder"/*/CMakeLists.txt; then
      found=yes
      break
    fi
    [ "$folder" = . ] && break
    folder=$(dirname "$folder")
  done
  if [ $found = no ]; then
    echo "$file is in no CMakeLists.txt"
    failures=$((failures + 1))
  fi
done < <(find host sdk plugins tools tests -name '*_test.cpp' -not -path '*/node_modules/*' | sort)
echo "$seen test files, $failures not registered"
[ "$seen" -gt 0 ] && [ "$failures" -eq 0 ]

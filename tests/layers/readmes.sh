#!/bin/bash
# readmes.sh <repository>: every folder with more than three sources has a README. The frozen copy of
# the contract is described by one README at its root.
set -u
cd "$1" || exit 1
failures=0
while read -r count folder; do
  [ "$count" -gt 3 ] && [ ! -f "$folder/README.md" ] || continue
  echo "$folder has $count sources and no README.md"
  failures=1
done < <(find host sdk plugins tools tests \
  \( -name node_modules -o -path tests/abi/v1 \) -prune -o -type f \
  \( -name '*.c' -o -name '*.cpp' -o -name '*.rs' -o -name '*.mjs' \) -printf '%h\n' | sort | uniq -c)
exit $failures

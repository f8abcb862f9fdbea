#!/bin/bash
# readmes.sh <repository>: every folder with more than three files of code, headers and shell scripts
# included, has a README. The frozen copy of the contract is described by one README at its root.
set -u
cd "$1" || exit 1
failures=0
while read -r count folder; do
  [ "$count" -gt 3 ] && [ ! -f "$folder/README.md" ] || continue
  echo "$folder has $count sources and no README.md"
  failures=1
done < <(find host sdk plugins tools tests \
  \( -name node_modules -o -path tests/abi/v1 \) -prune -o -type f \
  \( -name '*.c' -o -name '*.cpp' -o -name '*.h' -o -name '*.hpp' -o -name '*.rs' \
  -o -name '*.js' -o -name '*.mjs' -o -name '*.sh' \) -printf '%h\n' | sort | uniq -c)
exit $failures

#!/bin/bash
# compile_alone.sh <include dir> <C compiler> <C++ compiler>
# Every contract header compiles alone as C11 and C++20; every wrapper header alone as C++20. ccache
# skips headers that did not change.
set -u
include=$1 c=$2 cxx=$3
launcher=$(command -v ccache)
# In the folder that ctest starts it in, so that ccache sees the same file names each time.
work=alone-$(basename "$cxx")
rm -rf "$work" && mkdir "$work" && cd "$work" || exit 1
headers=0 failures=0
# try <language> <standard> <compiler> <header>
try() {
  local source=${4//\//_}.$1
  # C wants something in each file.
  printf '#include <%s>\ntypedef int not_empty;\n' "$4" >"$source"
  if ! $launcher "$3" -std="$2" -Wall -Wextra -Werror -pedantic -I"$include" -c "$source" -o "$source.o"
  then
    echo "does not compile alone: $4 as $2"
    failures=$((failures + 1))
  fi
}
for path in "$include"/gantry/abi/*.h; do
  name=gantry/abi/$(basename "$path")
  headers=$((headers + 1))
  try c c11 "$c" "$name"
  try cpp c++20 "$cxx" "$name"
done
for path in "$include"/gantry/*.hpp "$include"/gantry/detail/*.hpp; do
  headers=$((headers + 1))
  try cpp c++20 "$cxx" "${path#"$include"/}"
done
if [ "$headers" -lt 12 ]; then
  echo "only $headers headers found in $include/gantry"
  exit 1
fi
echo "$headers headers, $failures failures"
[ "$failures" -eq 0 ]

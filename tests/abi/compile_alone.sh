#!/bin/bash
# compile_alone.sh <include dir> <C compiler> <C++ compiler>
# Every contract header compiles alone as C11 and C++20; every wrapper header alone as C++20.
set -u
include=$1 c=$2 cxx=$3
strict="-Wall -Wextra -Werror -pedantic -fsyntax-only -I$include"
failures=0
try() {  # <what> <command…>
  local what=$1
  shift
  if ! "$@"; then
    echo "does not compile alone: $what"
    failures=$((failures + 1))
  fi
}
headers=0
for path in "$include"/gantry/abi/*.h; do
  name=gantry/abi/$(basename "$path")
  headers=$((headers + 1))
  try "$name as C11" "$c" -std=c11 $strict -x c - <<<"#include <$name>
typedef int not_empty;"
  try "$name as C++20" "$cxx" -std=c++20 $strict -x c++ - <<<"#include <$name>"
done
for path in "$include"/gantry/*.hpp "$include"/gantry/detail/*.hpp; do
  name=${path#"$include"/}
  headers=$((headers + 1))
  try "$name" "$cxx" -std=c++20 $strict -x c++ - <<<"#include <$name>"
done
if [ "$headers" -lt 12 ]; then
  echo "only $headers headers found in $include/gantry"
  exit 1
fi
echo "$headers headers, $failures failures"
[ "$failures" -eq 0 ]

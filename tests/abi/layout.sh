#!/bin/bash
# layout.sh <include dir> <C compiler> <C++ compiler> <this folder>
#
# Describes the contract as the compiler sees it (layout.c) and compares it with layout.txt, so that
# every change is noticed, and with the frozen layout of version 1, which limits the changes that are
# allowed. After an allowed change: layout.sh … --write
set -u
include=$1 c=$2 cxx=$3 here=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$c" -std=c11 -Wall -Wextra -Werror -I"$include" -x c "$here/layout.c" -o "$work/c" || exit 1
"$cxx" -std=c++20 -Wall -Wextra -Werror -I"$include" -x c++ "$here/layout.c" -o "$work/cxx" || exit 1
"$work/c" >"$work/c.txt" && "$work/cxx" >"$work/cxx.txt" || exit 1
if ! diff -u "$work/c.txt" "$work/cxx.txt"; then
  echo "C and C++ see different layouts"
  exit 1
fi
if [ "${5:-}" = --write ]; then
  cp "$work/c.txt" "$here/layout.txt"
  exit 0
fi
if ! diff -u "$here/layout.txt" "$work/c.txt"; then
  echo "The contract's layout has changed. If ABI.md allows it: layout.sh … --write"
  exit 1
fi
"$here/grown.sh" "$here/v1/layout.txt" "$work/c.txt"

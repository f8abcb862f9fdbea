#!/bin/bash
# layout.sh <include dir> <C compiler> <C++ compiler> <this folder>
#
# Describes the contract as the compiler sees it (layout.c) and compares with the frozen
# description layout.txt. While GANTRY_ABI_DRAFT is defined a difference is printed and accepted;
# afterwards only lines added behind a table's last member are allowed, so the file must equal.
# To freeze anew: layout.sh … --write
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
diff -u "$here/layout.txt" "$work/c.txt" && exit 0
if grep -q "define GANTRY_ABI_DRAFT" "$include/gantry/abi/version.h"; then
  echo "The contract differs from tests/abi/layout.txt; it is a draft, so this is only shown."
  exit 0
fi
echo "The contract's layout has changed. Tables only grow at the end; see ABI.md."
exit 1

#!/bin/bash
# handmade.sh <include dir> <C compiler> <C++ compiler> <this folder>
# GANTRY_MANIFEST makes a note that readers of ELF notes understand, at every optimization level.
set -u
include=$1 c=$2 cxx=$3 here=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-Wall -Wextra -Werror -pedantic -fPIC -shared -fvisibility=hidden -Wl,--gc-sections -s -I$include"
check() {  # <what> <command…>
  local what=$1
  shift
  "$@" -o "$work/handmade.so" || { echo "$what: does not compile"; exit 1; }
  local notes
  notes=$(LC_ALL=C readelf -nW "$work/handmade.so" 2>&1)
  if ! grep -qE '^ *GANTRY +0x0000003c' <<<"$notes" || grep -qi corrupt <<<"$notes"; then
    echo "$what: the note is wrong: $notes"
    exit 1
  fi
  [ "$(nm -D --defined-only "$work/handmade.so" | awk '{print $3}')" = gantry_plugin_v1 ] ||
    { echo "$what: exports more than the one symbol"; exit 1; }
}
for level in -O0 -O2; do
  check "C $level" "$c" -std=c11 $level $flags "$here/handmade.c"
  check "C++ $level" "$cxx" -std=c++20 $level $flags -x c++ "$here/handmade.c"
done

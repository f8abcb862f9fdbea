#!/bin/bash
# examples.sh <cmake> <packages> <project> <work dir>
# find_package(GantrySDK) of the unpacked package builds every example, whose tests pass.
set -eu
cmake=$1 packages=$2 project=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
dpkg-deb -x "$packages"/gantry-sdk_*.deb "$work/root"
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
                                          -DCMAKE_C_COMPILER_LAUNCHER=ccache)
"$cmake" -S "$project" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/root/usr" "${launcher[@]}" >/dev/null
"$cmake" --build "$work/build" -j 2
for example in "$work"/root/usr/share/gantry/examples/*/CMakeLists.txt; do
  name=$(basename "$(dirname "$example")")
  [ "$name" != rust ] || command -v cargo >/dev/null || continue
  [ -e "$work/build/test-plugins/example-$name.so" ] || { echo "example $name is not built"; exit 1; }
done
"$(dirname "$cmake")/ctest" --test-dir "$work/build" --output-on-failure --no-tests=error

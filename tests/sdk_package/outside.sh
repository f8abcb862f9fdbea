#!/bin/bash
# outside.sh <cmake> <stage> <project> <work dir>
# Copies a project out of the repository, builds it with nothing but the stage, runs its tests.
set -eu
cmake=$1 stage=$2 project=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
cp -r "$project" "$work/source"
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
                                          -DCMAKE_C_COMPILER_LAUNCHER=ccache)
"$cmake" -S "$work/source" -B "$work/build" -DCMAKE_PREFIX_PATH="$stage" "${launcher[@]}" >/dev/null
"$cmake" --build "$work/build"
ctest=$(dirname "$cmake")/ctest
"$ctest" --test-dir "$work/build" --output-on-failure --no-tests=error

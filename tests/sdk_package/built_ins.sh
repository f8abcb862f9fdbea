#!/bin/bash
# built_ins.sh <cmake> <stage> <plugins folder> <work dir>
# Builds each built-in plugin from a copy of its folder, with nothing but the installed SDK.
set -u
cmake=$1 stage=$2 plugins=$3 work=$4
failures=0 built=0
rm -rf "$work"
mkdir -p "$work/common"
cp "$(dirname "$plugins")/tools/cmake/pch.hpp" "$work/common/"
launcher=() with=()
if command -v ccache >/dev/null; then
  with=(ccache)
  launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache)
fi
# The standard library and RapidJSON are most of what hundreds of small files take: they are read
# once. Where that fails they are read each time; builds of this tree without sanitizers show that no
# file lacks an #include. ccache needs to be allowed to look inside.
export CCACHE_SLOPPINESS=pch_defines,time_macros
common="-fpch-preprocess -include \"$work/common/pch.hpp\""
(cd "$work/common" && "${with[@]}" "${CXX:-c++}" -fPIC -std=gnu++20 -fpch-preprocess \
  -x c++-header pch.hpp -o pch.hpp.gch) || rm -f "$work/common/pch.hpp.gch"
for folder in "$plugins"/*/; do
  name=$(basename "$folder")
  grep -qs gantry_add_plugin "$folder/CMakeLists.txt" || continue
  mkdir -p "$work/$name"
  cp -r "$folder" "$work/$name/plugin"
  cat >"$work/$name/CMakeLists.txt" <<'TOP'
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES C CXX)
find_package(GantrySDK REQUIRED COMPONENTS schema)
set(BUILD_TESTING OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_STANDARD 20)
add_subdirectory(plugin)
TOP
  # In unity batches, as the tree itself; C sources are compiled alone there too.
  (cd "$work/$name" && find plugin -name '*.c') |
    grep -v /tests/ | while read -r source; do
      scope=$(dirname "$source")
      while [ ! -e "$work/$name/$scope/CMakeLists.txt" ]; do scope=$(dirname "$scope"); done
      echo "set_source_files_properties(\${CMAKE_SOURCE_DIR}/$source DIRECTORY $scope" \
           "PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)"
    done >>"$work/$name/CMakeLists.txt"
  if "$cmake" -S "$work/$name" -B "$work/$name/build" -DCMAKE_PREFIX_PATH="$stage" \
    -DCMAKE_CXX_FLAGS="$common -Wno-subobject-linkage" \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=64 "${launcher[@]}" >"$work/$name/log" 2>&1 &&
    "$cmake" --build "$work/$name/build" --parallel 2 >>"$work/$name/log" 2>&1 &&
    compgen -G "$work/$name/build/*plugins/$name.so" >/dev/null; then
    built=$((built + 1))
  else
    echo "plugin '$name' does not build with the installed SDK alone:"
    grep -E "error|Error|FAILED" -A3 "$work/$name/log" | head -40
    failures=$((failures + 1))
  fi
done
echo "$built plugins built, $failures failures"
[ "$built" -gt 0 ] && [ "$failures" -eq 0 ]

#!/bin/bash
# usage: tests/worlds/mutants.sh [NAME…]
#        tests/worlds/mutants.sh --fit: only whether each mutant's text is in its source exactly once
# Runs the test that must fail on each mutant of mutants.list (or on those named). Programs and plugins are
# built once, as they are, in BUILD (default build/check); of a mutant only its source is compiled, and the
# program, or the plugin that the program loads, is linked with it in front of the libraries, where it takes
# the place of the same functions. Nothing in the tree or in BUILD changes. JOBS (default 2) bounds the
# build. Ends with 1 if a mutant survives, or does not compile, and lists it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${BUILD:-$root/build/check}
is_fit=$([[ ${1-} == --fit ]] && echo 1 || echo 0)
wanted=("${@:1+is_fit}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
# Both versions of a source are in the program.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_odr_violation=0:quarantine_size_mb=16
# Enough requests that the two worlds meet each mutant that is theirs.
export GANTRY_WORLDS=${GANTRY_WORLDS:-2000} GANTRY_WORLDS_FAILURES=1 GANTRY_ORACLE=${GANTRY_ORACLE:-1000}
export GANTRY_DATA_PLUGIN=

names=() sources=() olds=() news=() programs=() filters=()
mutant() {  # NAME SOURCE OLD NEW PROGRAM TEST
  ((${#wanted[@]} == 0)) || printf '%s\n' "${wanted[@]}" | grep -qxF -- "$1" || return 0
  names+=("$1") sources+=("$2") olds+=("$3") news+=("$4") programs+=("$5") filters+=("$6")
}
source "$here/mutants.list"

if ((is_fit)); then
  for i in "${!names[@]}"; do
    "$root/tests/faults/mutate.sh" "$root/${sources[i]}" "$work/mutated.cpp" "${olds[i]}" "${news[i]}" ||
      { echo "${names[i]} does not fit its source: mend tests/worlds/mutants.list"; exit 1; }
  done
  exit 0
fi

# The object that holds SOURCE: its own, or that of its batch (tools/cmake/GantryUnity.cmake).
object_of() {
  local batch
  batch=$(grep -rlF "$root/$1\"" "$build/${1%%/*}" --include='unity_*_cxx.cxx' | head -1)
  if [[ -n $batch ]]; then
    printf '%s.o' "${batch#"$build"/}"
  else
    sed -n "s|^build \(.*\.o\): CXX_COMPILER[^ ]* $root/$1 .*|\1|p" "$build/build.ninja" | head -1
  fi
}
# Runs ninja's command for TARGET with `old`, which is in it, replaced by `new`.
run_changed() {  # TARGET OLD NEW [OLD NEW]
  local command
  command=$(ninja -C "$build" -t commands "$1" | tail -1)
  command=${command//"$2"/"$3"}
  (($# < 5)) || command=${command//"$4"/"$5"}
  (cd "$build" && eval "$command")
}

# Compiles $work/mutated.cpp to $work/mutated.o as ninja compiles OBJECT: in the place of SOURCE in its batch, or
# alone. A mutant may leave a variable unused.
compile() {  # SOURCE OBJECT
  local from=$root/$1 mutated=$work/mutated.cpp
  if [[ $2 == */unity_*_cxx.cxx.o ]]; then
    from=$build/${2%.o} mutated=$work/batch.cpp
    sed "s|\"$root/$1\"|\"$work/mutated.cpp\"|" "$from" >"$mutated"
  fi
  run_changed "$2" "$2" "$work/mutated.o" "-c $from" "-c $mutated -w"
}
# These programs load the plugin; the others are linked with the code itself.
loads_plugin() { [[ $1 == worlds_test || $1 == data_tests ]]; }
# The mutant takes the place of OBJECT, also where that is in a library.
link() {  # PROGRAM OBJECT
  local target=tests/$1 out=$work/program
  if loads_plugin "$1"; then
    target=plugins/data.so out=$work/data.so
    GANTRY_DATA_PLUGIN=$out
  fi
  run_changed "$target" "-o $target" "-Wl,--allow-multiple-definition $work/mutated.o -o $out" " $2 " " $work/mutated.o "
}

survivors=()
try() {
  local i=$1 object start=$SECONDS program=$work/program
  object=$(object_of "${sources[i]}")
  "$root/tests/faults/mutate.sh" "$root/${sources[i]}" "$work/mutated.cpp" "${olds[i]}" "${news[i]}" &&
    [[ -n $object ]] && compile "${sources[i]}" "$object" && link "${programs[i]}" "$object" ||
    { survivors+=("${names[i]}"); echo "${names[i]}: does not compile"; return; }
  ! loads_plugin "${programs[i]}" || program=$build/tests/${programs[i]}
  if "$program" --gtest_filter="${filters[i]}" >"$work/test.log" 2>&1; then
    survivors+=("${names[i]}")
    echo "${names[i]}: SURVIVES ${programs[i]} ${filters[i]}"
    return
  fi
  local test
  test=$(sed -n 's/^\[  FAILED  \] \([A-Za-z0-9_]*\.[A-Za-z0-9_]*\).*/\1/p' "$work/test.log" | sort -u | head -1)
  if [[ -z $test ]]; then
    survivors+=("${names[i]}")
    echo "${names[i]}: the test ended without a verdict"
    tail -5 "$work/test.log"
    return
  fi
  echo "${names[i]}: killed by $test in $((SECONDS - start)) s"
}

cmake --build "$build" -j "${JOBS:-2}" --target $(printf '%s\n' "${programs[@]}" | sort -u) >"$work/build.log" 2>&1 ||
  { tail -20 "$work/build.log"; exit 1; }
for i in "${!names[@]}"; do try "$i"; done
echo "${#names[@]} mutants, ${#survivors[@]} survive"
((${#survivors[@]} == 0))

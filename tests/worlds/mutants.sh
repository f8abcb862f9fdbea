#!/bin/bash
# usage: tests/worlds/mutants.sh [NAME…]
# Builds each mutant of mutants.list (or those named), and runs the test that must fail on it. The work is
# done in a copy of the repository's files, in MUTANTS (default ~/.cache/gantry-mutants), which keeps its build
# for the next time. JOBS (default 2) bounds the build. Ends with 1 if a mutant survives, and lists it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
copy=${MUTANTS:-$HOME/.cache/gantry-mutants}
jobs=${JOBS:-2}
wanted=("$@")
export CCACHE_BASEDIR=$copy CCACHE_NOHASHDIR=1
# Enough requests that the two worlds meet each mutant that is theirs.
export GANTRY_WORLDS=${GANTRY_WORLDS:-2000} GANTRY_WORLDS_FAILURES=1 GANTRY_ORACLE=${GANTRY_ORACLE:-1000}

mkdir -p "$copy"
# Unchanged files keep their times, so that they are not built again.
(cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp -up --parents -t "$copy")
(cd "$copy" && cmake --preset check >"$copy/configure.log") || { cat "$copy/configure.log"; exit 1; }

survivors=() count=0
is_wanted() {
  [[ ${#wanted[@]} -eq 0 ]] && return
  printf '%s\n' "${wanted[@]}" | grep -qxF -- "$1"
}
build() { cmake --build "$copy/build/check" -j "$jobs" --target "$1" >"$copy/build.log" 2>&1; }

mutant() {  # NAME SOURCE OLD NEW PROGRAM TEST
  local name=$1 source=$2 old=$3 new=$4 program=$5 filter=$6
  is_wanted "$name" || return 0
  count=$((count + 1))
  "$root/tests/faults/mutate.sh" "$root/$source" "$copy/mutated" "$old" "$new"
  trap 'cp "$root/$source" "$copy/$source"' EXIT
  cp "$copy/mutated" "$copy/$source"
  if ! build "$program"; then
    echo "$name: does not compile"
    tail -5 "$copy/build.log"
    survivors+=("$name")
  elif "$copy/build/check/tests/$program" --gtest_filter="$filter" >"$copy/test.log" 2>&1; then
    echo "$name: SURVIVES $program $filter"
    survivors+=("$name")
  else
    echo "$name: killed by $(sed -n 's/^\[  FAILED  \] \([A-Za-z0-9_]*\.[A-Za-z0-9_]*\).*/\1/p' "$copy/test.log" | sort -u | head -1)"
  fi
  cp "$root/$source" "$copy/$source"
  trap - EXIT
}

source "$here/mutants.list"
echo "$count mutants, ${#survivors[@]} survive"
[[ ${#survivors[@]} -eq 0 ]]

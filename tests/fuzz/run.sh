#!/bin/bash
# run.sh BUILD [TARGET…]: runs fuzz targets of that build folder, all of them by default, each for
# FUZZ_SECONDS on its corpus. Without FUZZ_SECONDS each tries the same inputs in the same order
# every time, 50,000 of them or as many as 10 seconds allow, so that a quicker machine finds nothing
# else; other runs try new ones. Findings stay in BUILD/fuzz/findings, with the command that
# reproduces them; the corpus itself is not changed. JOBS (default 1) run at once.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd) || exit
seconds=${FUZZ_SECONDS:-10} jobs=${JOBS:-1} repeat=()
[[ -n ${FUZZ_SECONDS-} ]] || repeat=(-seed=1 -runs=50000)
shift
findings=$build/fuzz/findings
mkdir -p "$findings"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Quiet unless something is found; then libFuzzer's output and the command that reproduces it.
fuzz() {
  local target=$1 log=$scratch/$1.log program=$build/fuzz/$1 dictionary=()
  [[ ! -f $here/$target.dict ]] || dictionary=(-dict="$here/$target.dict")
  mkdir "$scratch/$target"
  if "$program" "${dictionary[@]}" "${repeat[@]}" -max_len=4096 -timeout=5 -rss_limit_mb=1024 \
    -max_total_time="$seconds" -artifact_prefix="$findings/$target-" -print_final_stats=1 \
    "$scratch/$target" "$here/corpus/$target" >"$log" 2>&1; then
    awk -v target="$target" -v seeds="$(ls "$here/corpus/$target" | wc -l)" \
      '/number_of_executed_units/ { printf "  %-16s %8d inputs from %d seeds, nothing found\n", target, $2, seeds }' "$log"
    return
  fi
  local input
  input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -1)
  tail -n 60 "$log"
  printf '\nFOUND by %s. To see it again:\n  %s %s\n' \
    "$target" "${program#"$root"/}" "${input#"$root"/}"
  return 1
}

targets=("$@")
((${#targets[@]})) || mapfile -t targets < <(sed -n 's/^ *gantry_fuzzer(\([a-z_]*\) .*/\1/p' "$here/CMakeLists.txt")
((${#targets[@]})) || { echo "run.sh: no targets in $here/CMakeLists.txt" >&2; exit 2; }
failed=0 running=0
for target in "${targets[@]}"; do
  if ((running == jobs)); then
    wait -n || failed=1
    running=$((running - 1))
  fi
  fuzz "$target" &
  running=$((running + 1))
done
for ((; running > 0; running--)); do wait -n || failed=1; done
exit $failed

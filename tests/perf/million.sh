#!/bin/bash
# usage: tests/perf/million.sh [BUILD]
# What gantryd keeps while it reads 1,000,000 rows: what can go by must leave its memory where it
# was, what would have to be kept beyond the budget of a query must be refused, and afterwards it
# must still answer. Memory is the high-water mark that the kernel keeps of the process (VmHWM), set
# back before each request. Prints a table; ends with 1 when a limit is broken.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(realpath "${1:-$root/build/perf}")
fail() { echo "million.sh: $*" >&2; exit 2; }
for tool in sqlite3 curl; do
  [[ -n $(command -v $tool) ]] || fail "$tool is missing; install it (Debian: apt-get install $tool)"
done
[[ -x $build/bin/gantryd ]] || fail "nothing to measure in $build; configure with -DCMAKE_BUILD_TYPE=Release"
work=$(mktemp -d)
pid=
trap '[[ -z $pid ]] || kill "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT

sqlite3 "$work/million.db" <<'SQL'
PRAGMA synchronous = OFF;
CREATE TABLE big(id INTEGER PRIMARY KEY, k INTEGER, g INTEGER, name TEXT, total REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000)
INSERT INTO big SELECT i, (i * 7919) % 1000003, i % 8, 'Customer number ' || i, i * 1.37 FROM n;
SQL
"$build/bin/gantryd" --db "$work/million.db" --listen 127.0.0.1:0 --state "$work/state" --control none \
  >"$work/out" 2>"$work/log" &
pid=$!
for ((i = 0; i < 200; ++i)); do
  grep -q ready "$work/out" && break
  kill -0 "$pid" 2>/dev/null || fail "gantryd ended: $(tail -3 "$work/log")"
  sleep 0.05
done
url=$(sed -n 's/^gantryd ready //p' "$work/out")

# call TOOL ARGUMENTS: the answer, in $work/answer.
call() {
  curl -sS --max-time 120 "$url" -H 'Content-Type: application/json' \
    -H 'Accept: application/json, text/event-stream' -H 'MCP-Protocol-Version: 2026-07-28' \
    -H 'Mcp-Method: tools/call' -H "Mcp-Name: $1" \
    -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"'"$1"'","arguments":'"$2"',"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}' \
    >"$work/answer"
}

broken=0
printf '%-34s %11s %8s %-7s %8s\n' what 'MiB at most' limit '' seconds
# row NAME LIMIT WANTED TOOL ARGUMENTS: WANTED must stand in the answer.
row() {
  local most began=$EPOCHREALTIME verdict=ok
  echo 5 >"/proc/$pid/clear_refs"
  call "$4" "$5"
  most=$(awk '$1 == "VmHWM:" {printf "%.0f", $2 / 1024}' "/proc/$pid/status")
  if ! grep -q "$3" "$work/answer"; then
    verdict=WRONG broken=1
    head -c 400 "$work/answer" >&2
  elif ((most > $2)); then
    verdict=MISSED broken=1
  fi
  printf '%-34s %11d %8s %-7s %8s\n' "$1" "$most" "<=$2" "$verdict" \
    "$(awk -v us=$((${EPOCHREALTIME/./} - ${began/./})) 'BEGIN {printf "%.2f", us / 1e6}')"
}
pipeline() { printf '{"class_name":"big","pipeline":%s}' "$1"; }
refused='memory of one query'

row 'count' 48 '"count":1000000' count_objects '{"class_name":"big"}'
row 'match in SQL' 48 '"n":125000' aggregate "$(pipeline '[{"$match":{"g":3}},{"$count":"n"}]')"
row 'match in the engine' 48 '"n":1000000' aggregate \
  "$(pipeline '[{"$match":{"$expr":{"$gte":[{"$add":["$k","$g"]},0]}}},{"$count":"n"}]')"
row 'limit' 48 'Customer number 5' aggregate "$(pipeline '[{"$set":{"x":1}},{"$limit":5}]')"
row 'group of 8 keys' 48 '125000' aggregate \
  "$(pipeline '[{"$group":{"_id":"$g","n":{"$sum":1},"t":{"$avg":"$total"}}}]')"
row 'sort with a limit' 48 'Customer number' aggregate \
  "$(pipeline '[{"$set":{"x":{"$mod":["$k",977]}}},{"$sort":{"x":1}},{"$limit":20}]')"
row 'query of 20 sorted rows' 48 'Customer number 1000000' query_class \
  '{"class_name":"big","order":"-total","limit":20}'
row 'export of 10,000' 48 'Customer number 10000' export_data \
  '{"class_name":"big","format":"csv","columns":["id","name"],"row_cap":10000}'
row 'sort of all' 320 "$refused" aggregate \
  "$(pipeline '[{"$set":{"x":{"$mod":["$k",977]}}},{"$sort":{"x":1}},{"$group":{"_id":null,"n":{"$sum":1}}}]')"
row 'group of 1,000,000 keys' 320 "$refused" aggregate \
  "$(pipeline '[{"$group":{"_id":"$name","n":{"$sum":1}}},{"$count":"n"}]')"
row 'push of everything' 320 "$refused" aggregate \
  "$(pipeline '[{"$group":{"_id":null,"all":{"$push":"$$ROOT"}}},{"$project":{"n":{"$size":"$all"}}}]')"
row 'addToSet of everything' 320 "$refused" aggregate \
  "$(pipeline '[{"$group":{"_id":"$g","all":{"$addToSet":"$name"}}},{"$project":{"n":{"$size":"$all"}}}]')"
row 'and afterwards: count' 320 '"count":1000000' count_objects '{"class_name":"big"}'
exit $broken

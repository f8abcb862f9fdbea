#!/bin/bash
# usage: tools/run.sh [DB] [gantryd flags…]
# Serves a SQLite file to MCP clients; without DB, the demo database. On a bare Debian 12 it first
# installs packages and builds. Nothing is ever written beside DB. Ctrl-C stops.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/tools/packages.sh"

case ${1-} in
  -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
  '' | -*) db='' ;;
  *) db=$1; shift ;;
esac
if [[ -n $db && $db != *:* && ! -r $db ]]; then
  echo "run.sh: cannot read '$db'. Name a SQLite file, or nothing for the demo." >&2
  exit 2
fi
[[ -z $db || $db == *:* ]] || db=$(realpath "$db")

build() {
  local quiet=()
  [[ -f $root/build/release/build.ninja ]] || (cd "$root" && cmake --preset release)
  [[ ! -x $root/build/release/bin/gantryd ]] || quiet=(-- --quiet)
  (cd "$root" && cmake --build --preset release --target serve "${quiet[@]}")
}

demo_database() {
  local file=${XDG_CACHE_HOME:-$HOME/.cache}/gantry/demo.db recipe=$root/tools/demo/demo.sql
  if [[ ! -f $file || $recipe -nt $file ]]; then
    "$root/tools/demo/build.sh" "$file" >&2
  fi
  echo "$file"
}

# request METHOD NAME PARAMS: one request of protocol revision 2026-07-28, the answer on stdout.
request() {
  local revision=2026-07-28 meta named=()
  meta="\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"$revision\""
  meta+=',"io.modelcontextprotocol/clientCapabilities":{}}'
  [[ -z $2 ]] || named=(-H "Mcp-Name: $2")
  curl -sS -m 20 "$endpoint" -H 'Content-Type: application/json' \
    -H 'Accept: application/json, text/event-stream' \
    -H "MCP-Protocol-Version: $revision" -H "Mcp-Method: $1" "${named[@]}" \
    -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":{$3$meta}}"
}

# json FILE EXPRESSION: evaluates SQLite's JSON functions on an answer; 'unknown' if there is no value.
json() {
  sqlite3 :memory: "WITH answer(j) AS (SELECT CAST(readfile('$1') AS TEXT))
    SELECT coalesce($2, 'unknown') FROM answer" 2>/dev/null || echo unknown
}

describe() {
  local tools=$work/tools classes=$work/classes seen
  request tools/list '' '' >"$tools" || true
  request tools/call get_all_schemas \
    '"name":"get_all_schemas","arguments":{},' >"$classes" || true
  # What a model is shown of a tool, at four bytes a token.
  seen=$(json "$tools" "(SELECT sum(length(value ->> '\$.name') + length(value ->> '\$.description')
    + length(value -> '\$.inputSchema')) / 4 FROM json_each(j, '\$.result.tools'))")
  cat <<TEXT

Gantry serves $(basename "$db")

  endpoint  $endpoint
  tools     $(json "$tools" "json_array_length(j, '\$.result.tools')")
  classes   $(json "$classes" "j ->> '\$.result.structuredContent.total'")
  tokens    about $seen for what a model sees of the tools

Claude Code
  claude mcp add --transport http gantry $endpoint

VS Code
  code --add-mcp '{"name":"gantry","type":"http","url":"$endpoint"}'

Cursor (.cursor/mcp.json)
  {"mcpServers":{"gantry":{"url":"$endpoint"}}}

curl
  curl -s $endpoint -H 'Content-Type: application/json' \\
    -H 'Accept: application/json, text/event-stream' \\
    -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' \\
    -H 'Mcp-Name: get_all_schemas' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call",
    "params":{"name":"get_all_schemas","arguments":{},"_meta":{
    "io.modelcontextprotocol/protocolVersion":"2026-07-28",
    "io.modelcontextprotocol/clientCapabilities":{}}}}'

Ctrl-C stops.
TEXT
}

gantry_install_packages run
build >&2
[[ -n $db ]] || db=$(demo_database)
server=("$root/build/release/bin/gantryd" --db "$db" "$@")
for flag in "$@"; do
  [[ $flag != --stdio ]] || exec "${server[@]}"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Its own session, so that Ctrl-C reaches the server once, from here, and it can drain.
mkfifo "$work/out"
setsid "${server[@]}" >"$work/out" &
pid=$!
interrupted=0
trap 'interrupted=1; kill -TERM $pid 2>/dev/null || true' INT TERM

ready=''
read -r ready <"$work/out" || true
if [[ $ready == 'gantryd ready '* ]]; then
  endpoint=${ready#gantryd ready }
  describe
fi
# A signal ends `wait` early: wait again, the server is draining.
interrupted=1 code=0
while ((interrupted)); do
  interrupted=0 code=0
  wait $pid || code=$?
done
exit $code

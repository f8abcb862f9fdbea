#!/bin/bash
# usage: tools/run.sh [DB | --demo shop] [--no-open] [gantryd flags…]
# Serves a SQLite file to MCP clients; without DB, the demo database; with --demo shop a shop with a
# model, two agents and a call that waits for approval. On a bare Debian 12 it first installs packages
# and builds. Prints a link to the web console, and opens it where there is a display unless --no-open
# is given. Nothing is ever written beside DB. Ctrl-C stops.
# GANTRY_BUILD names a build folder whose programs are served as they are, without installing or building.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/tools/packages.sh"

demo=''
case ${1-} in
  -h | --help) sed -n '2,7s/^# //p' "$0"; exit 0 ;;
  --demo)
    db='' demo=${2-}
    if [[ $demo != shop ]]; then
      echo "run.sh: there is no demo '$demo'; there is shop, and without --demo countries" >&2
      exit 2
    fi
    shift 2
    ;;
  '' | -*) db='' ;;
  *) db=$1; shift ;;
esac
if [[ -n $db && $db != *:* && ! -r $db ]]; then
  echo "run.sh: cannot read '$db'. Name a SQLite file, or nothing for the demo." >&2
  exit 2
fi
[[ -z $db || $db == *:* ]] || db=$(realpath "$db")

# --no-open is ours; all other flags are gantryd's.
opens=1 control='' flags=()
while (($# > 0)); do
  if [[ $1 == --no-open ]]; then opens=0; else flags+=("$1"); fi
  [[ $1 != --control ]] || control=${2-}
  [[ $1 != --control=* ]] || control=${1#--control=}
  shift
done
set -- "${flags[@]}"

build=${GANTRY_BUILD:-$root/build/release}
prepare() {
  [[ -z ${GANTRY_BUILD-} ]] || return 0
  gantry_install_packages run
  local quiet=()
  [[ -f $build/build.ninja ]] || (cd "$root" && cmake --preset release)
  [[ ! -x $build/bin/gantryd ]] || quiet=(-- --quiet)
  (cd "$root" && cmake --build --preset release --target serve "${quiet[@]}")
}

demo_database() {
  local file=${XDG_CACHE_HOME:-$HOME/.cache}/gantry/${demo:-demo}.db recipe=$root/tools/demo/demo.sql
  [[ -z $demo ]] || recipe=$root/tools/demo/$demo/$demo.sql
  if [[ ! -f $file || $recipe -nt $file ]]; then
    "$root/tools/demo/build.sh" "$file" ${demo:+"$demo"} >&2
  fi
  echo "$file"
}

# asked COMMAND…: gantry asks the server.
asked() { "$build/bin/gantry" "$@" --url "$endpoint" 2>/dev/null; }

# Something to look at on every page of the console: answered, refused and waiting calls.
play_shop() {
  asked call group_by class_name=orders field=status >/dev/null || true
  asked call query_class class_name=salaries >/dev/null || true
  "$build/bin/gantry" call export_data class_name=customers columns=name columns=email \
    --url "$endpoint" >/dev/null 2>&1 &
  waiting=$!
}

# json FILE EXPRESSION: evaluates SQLite's JSON functions on an answer; 'unknown' if there is no value.
json() {
  sqlite3 :memory: "WITH answer(j) AS (SELECT CAST(readfile('$1') AS TEXT))
    SELECT coalesce($2, 'unknown') FROM answer" 2>/dev/null || echo unknown
}

# The console's link, made by the control socket; nothing without a console or a socket.
console_link() {
  local socket=$control directory
  for directory in "${XDG_RUNTIME_DIR:-/run/user/$EUID}/gantry" "/tmp/gantry-$EUID"; do
    [[ -n $socket || ! -S $directory/gantryd-$pid.sock ]] || socket=$directory/gantryd-$pid.sock
  done
  [[ -S $socket ]] || return 0
  "$build/bin/gantry" open --no-open --control "$socket" 2>/dev/null || true
}

# A browser on this machine would reach the person.
has_browser() {
  [[ $opens == 1 && -t 1 && -n ${DISPLAY-}${WAYLAND_DISPLAY-} && -z ${SSH_CONNECTION-} && $EUID != 0 ]] &&
    command -v xdg-open >/dev/null
}

describe() {
  local tools=$work/tools classes=$work/classes seen link gantry example='tools'
  [[ -z $demo ]] || example='call query_class class_name=orders limit=3 --table'
  asked tools --json >"$tools" || true
  asked call get_all_schemas --json >"$classes" || true
  # What a model is shown of a tool, at four bytes a token.
  seen=$(json "$tools" "(SELECT sum(length(value ->> '\$.name') + length(value ->> '\$.description')
    + length(value -> '\$.inputSchema')) / 4 FROM json_each(j))")
  link=$(console_link)
  gantry=$(realpath --relative-base=. "$build/bin/gantry")
  printf '\nGantry serves %s\n\n' "$(basename "$db")"
  [[ -z $link ]] || echo "  console   $link     once, within 10 minutes; again: gantry open"
  cat <<TEXT
  endpoint  $endpoint
  tools     $(json "$tools" "json_array_length(j)")
  classes   $(json "$classes" "j ->> '\$.total'")
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

Try
  $gantry $example
  $gantry console
  LLM_PROVIDER=local $gantry chat --ask "Which classes are there?"

Ctrl-C stops.
TEXT
  if [[ -n $link && -n ${SSH_CONNECTION-} ]]; then
    local port=${endpoint##*:}
    echo "From your own machine: ssh -L ${port%%/*}:127.0.0.1:${port%%/*} $(hostname)"
  fi
  [[ -z $link ]] || ! has_browser || xdg-open "$link" >/dev/null 2>&1 &
}

prepare >&2
[[ -n $db ]] || db=$(demo_database)
server=("$build/bin/gantryd" --db "$db")
if [[ -n $demo ]]; then
  shop=$root/tools/demo/$demo
  server+=(--model "$shop/model" --agents "$shop/agents.json" --agent support)
fi
server+=("$@")
for flag in "$@"; do
  [[ $flag != --stdio ]] || exec "${server[@]}"
done

work=$(mktemp -d) waiting=''
trap 'rm -rf "$work"; [[ -z $waiting ]] || kill "$waiting" 2>/dev/null || true' EXIT
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
  [[ -z $demo ]] || play_shop
fi
# A signal ends `wait` early: wait again, the server is draining.
interrupted=1 code=0
while ((interrupted)); do
  interrupted=0 code=0
  wait $pid || code=$?
done
exit $code

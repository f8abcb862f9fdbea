#!/bin/bash
# new_project.sh <cmake> <stage> <programs> <language> <work dir>
# `gantry plugin new` makes a project that builds exactly one .so with nothing but the stage, whose
# tests pass, and that a host serves at once.
set -eu
cmake=$1 stage=$2 programs=$3 language=$4 work=$5
if [ "$language" = rust ] && ! command -v rustc >/dev/null; then
  echo "there is no rustc"
  exit 77
fi
rm -rf "$work"
mkdir -p "$work"
cd "$work"
"$programs/gantry" plugin new word-count --lang "$language" >said
grep -q 'gantry plugin load build/plugins/word-count.so' said
cd word-count
[ -e .gitignore ] || { echo "it has no .gitignore"; exit 1; }
if grep -rniE 'hello[-_](c|cpp|rust)' . ; then
  echo "the template's own name is left in the project"
  exit 1
fi
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
                                          -DCMAKE_C_COMPILER_LAUNCHER=ccache)
[ "$language" = rust ] && launcher=()
"$cmake" -B build -DCMAKE_PREFIX_PATH="$stage" "${launcher[@]}" >/dev/null
"$cmake" --build build
[ "$language" = rust ] || [ -e build/compile_commands.json ] || { echo "editors find no compile_commands.json"; exit 1; }
"$(dirname "$cmake")/ctest" --test-dir build --output-on-failure --no-tests=error
found=$(find . -name '*.so' -not -path './build/test*')
[ "$found" = ./build/plugins/word-count.so ] || { echo "made: $found"; exit 1; }

socket=$(mktemp -u /tmp/gantry-new-XXXXXX.sock)
mkfifo ready
"$programs/gantryd" --listen 127.0.0.1:0 --builtin-plugins none --state "$work/state" \
  --control "$socket" >ready 2>log &
host=$!
trap 'kill $host 2>/dev/null || true; wait $host || true' EXIT
read -r line <ready
endpoint=${line#gantryd ready }
"$programs/gantry" plugin load build/plugins/word-count.so --control "$socket" | tee listed
grep -q 'word-count *1.0.0 *1 *serving' listed
revision=2026-07-28
answer=$(curl -sS -m 20 "$endpoint" -H 'Content-Type: application/json' \
  -H 'Accept: application/json, text/event-stream' -H "MCP-Protocol-Version: $revision" \
  -H 'Mcp-Method: tools/call' -H 'Mcp-Name: word_count_greet' -d '{"jsonrpc":"2.0","id":1,
  "method":"tools/call","params":{"name":"word_count_greet","arguments":{"name":"Ada"},"_meta":{
  "io.modelcontextprotocol/protocolVersion":"'$revision'",
  "io.modelcontextprotocol/clientCapabilities":{}}}}')
echo "$answer"
grep -q 'Hello, Ada!' <<<"$answer"

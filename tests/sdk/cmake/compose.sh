#!/bin/bash
# compose.sh <cmake> <GantryManifestNote.cmake>: tests the composed manifest and the messages to authors.
set -u
cmake=$1 script=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
mkdir "$work/schemas"

compose() {  # <manifest text> [schemas folder]
  echo "$1" >"$work/manifest.json"
  "$cmake" -DNAME=words -DMANIFEST="$work/manifest.json" -DSCHEMAS="${2-}" \
    -DOUTPUT="$work/out.json" -DASSEMBLY="$work/out.s" -P "$script" 2>&1 | tr -s ' \n' ' '
}
expect_says() {  # <what> <part of the message> <manifest> [schemas]
  local what=$1 part=$2
  shift 2
  local said
  said=$(compose "$@")
  [[ $said == *"$part"* ]] && return
  echo "$what: expected '$part', got: $said"
  failures=1
}

listed='{"name":"words","items":[{"kind":"tool","name":"a"}]}'
expect_says "no schema" "tool 'a' has no input schema" "$listed" "$work/schemas"
expect_says "other name" "needs the same name in both" '{"name":"other","items":[]}'
expect_says "no JSON" "is not JSON" '{"name":'
expect_says "no object" "expected OBJECT" '[]'
echo '[1]' >"$work/schemas/a.input.schema.json"
expect_says "schema no object" "expected OBJECT" "$listed" "$work/schemas"

# Schemas are embedded verbatim, and only for tools that the manifest lists.
schema='{"type":"object", "x":"; [a] ${B} \\ \u00e9 é", "n":1.0}'
echo "$schema" >"$work/schemas/a.input.schema.json"
echo '{"type":"object"}' >"$work/schemas/a.output.schema.json"
echo '{"type":"object"}' >"$work/schemas/unlisted.input.schema.json"
compose "$listed" "$work/schemas" >/dev/null
expected="{\"name\":\"words\",\"items\":[{\"kind\":\"tool\",\"name\":\"a\"}],
\"schemas\":{\"a\":{\"input\":$schema,\"output\":{\"type\":\"object\"}}}}"
if [ "$(cat "$work/out.json")" != "$expected" ]; then
  echo "composed: $(cat "$work/out.json")"
  echo "expected: $expected"
  failures=1
fi
expect_says "two sources" "use one of them" \
  '{"name":"words","items":[{"kind":"tool","name":"a"}],"schemas":{}}' "$work/schemas"

# With "probe" the manifest has no list: every schema is embedded.
compose '{"name":"words","items":"probe"}' "$work/schemas" >/dev/null
grep -q '"unlisted":{"input"' "$work/out.json" || { echo "probe: a schema is missing"; failures=1; }
exit $failures

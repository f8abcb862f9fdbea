#!/bin/bash
# grown_test.sh <this folder>: grown.sh accepts every allowed change and refuses all others.
set -u
here=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
frozen=$here/v1/layout.txt
failures=0
try() {  # <what> <0 or 1: the exit code wanted> <sed script>
  sed -E "$3" "$frozen" >"$work/today.txt"
  cmp -s "$frozen" "$work/today.txt" && [ "$3" != "" ] && echo "$1: the script changes nothing" && exit 1
  "$here/grown.sh" "$frozen" "$work/today.txt" >"$work/out" 2>&1
  local got=$?
  [ "$got" = "$2" ] && return
  echo "$1: exit code $got, wanted $2"
  cat "$work/out"
  failures=$((failures + 1))
}
try "nothing changed" 0 ""
try "a member at the end of a table" 0 's/^gantry_call_api size 120$/gantry_call_api size 128\ngantry_call_api.later offset 120 size 8 type int/'
try "a new table" 0 '1i gantry_later_api size 8'
try "a later minor version" 0 's/^GANTRY_ABI_MINOR 0/GANTRY_ABI_MINOR 1/'
try "a member gone" 1 '/^gantry_call_api.finish /d'
try "a member moved" 1 's/^(gantry_call_api.finish offset) [0-9]+/\1 112/'
try "a member of another type" 1 's/^(gantry_secret_api.read .*gantry_sink sink\))/\1 const/'
try "a table that shrank" 1 's/^gantry_plugin size .*/gantry_plugin size 48/'
try "a table gone" 1 '/^gantry_task_api/d'
try "a struct by value that grew" 1 's/^gantry_sink size 16/gantry_sink size 24/'
try "a constant with another value" 1 's/^GANTRY_BUSY .*/GANTRY_BUSY -70/'
try "a constant gone" 1 '/^GANTRY_MISUSE/d'
exit $((failures > 0))

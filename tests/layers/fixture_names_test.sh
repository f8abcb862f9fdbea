#!/bin/bash
# Tests fixture_names.sh: it finds the prefix and a whole name, and ignores both inside a longer word.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/plugins" "$tree/host/rpc"
ln -s "$here/../../plugins/conformance" "$tree/plugins/conformance"
failures=0

expect() {  # <fine|wrong> <line of a source>
  echo "$2" >"$tree/host/rpc/a.cpp"
  local said=fine
  "$here/fixture_names.sh" "$tree" >/dev/null || said=wrong
  [ "$said" = "$1" ] || { echo "expected $1, was $said: $2"; failures=1; }
}

expect fine 'if (name == "tools/list") return list();'
expect fine '// the caller that is greeted first'
expect wrong 'if (name == "test_anything") return true;'
expect wrong 'if (name == "greet") return true;'
expect wrong 'if (uri == "test://static-text") return text;'
exit $failures

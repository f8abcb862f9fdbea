#!/bin/bash
# Tests plugin_names.sh: it finds a plugin's name, keys and flags, and ignores MCP's own members.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/plugins/data" "$tree/host/app"
cp "$here/../../plugins/data/gantryd.json" "$tree/plugins/data/"
failures=0

expect() {  # <fine|wrong> <line of a source>
  echo "$2" >"$tree/host/app/a.cpp"
  local said=fine
  "$here/plugin_names.sh" "$tree" >/dev/null || said=wrong
  [ "$said" = "$1" ] || { echo "expected $1, was $said: $2"; failures=1; }
}

expect fine 'return has_text(*block, "data") && has_text(*block, "mimeType");'
expect fine 'const Value* const model = member(answer, "model");'
expect fine 'const auto* bytes = text.data();  // the data of one request'
expect fine 'flags.push_back("--plugin");'
expect wrong 'required.push_back("data");'
expect wrong 'const auto found = settings.plugins.find("data");'
expect wrong '// short for plugins.data.config.x'
expect wrong '// granted to the data engine'
expect wrong 'needs.push_back("gantry.data/1");'
expect wrong 'if (config.HasMember("database")) return;'
expect wrong 'app.add_option("--db", flags.db);'
rm "$tree/plugins/data/gantryd.json"
expect wrong 'return 0;'
exit $failures

#!/bin/bash
# plugin_names.sh <repository>: the host contains neither the name nor the configuration keys of a
# plugin that declares keys to it (plugins/NAME/gantryd.json), nor the flags that are short for them.
# Except in the operator's guide, which is about the whole product.
set -u
cd "$1" || exit 1
shopt -s nullglob
declarations=(plugins/*/gantryd.json)
members() {  # <member>: its texts in the declarations
  grep -ohE "\"$1\": *\"[^\"]*\"" "${declarations[@]}" | sed -E 's/^.*: *"(.*)"$/\1/' | sort -u
}
[ ${#declarations[@]} -gt 0 ] || { echo "no plugins/*/gantryd.json"; exit 1; }
names=$(members plugin | paste -sd'|') keys=$(members key | paste -sd'|') flags=$(members flag | paste -sd'|')

# A quoted name or key, a path to the plugin's configuration, its service, the plugin in prose, a flag.
pattern="\"($names|$keys)\"|plugins\.($names)\b|gantry\.($names)/|\b($names) (engine|plugin)\b|(^|[^-])($flags)\b"
# MCP's own members: "data" of a content block, "model" of a sampling answer.
mcp='has_(text|string)\(\*?block, "data"\)|block \+= R"\(","data":"\)"|member\(answer, "model"\)'
found=$(grep -rnE --include='*.hpp' --include='*.cpp' --include='*.txt' --include='*.md' --exclude=OPERATING.md "$pattern" host |
  grep -vE "$mcp")
[ -z "$found" ] || printf 'the host knows a plugin by name:\n%s\n' "$found"
echo "looked for $names, $keys, $flags"
[ -z "$found" ]

#!/bin/bash
# one_symbol.sh <build dir>: every built plugin exports exactly gantry_plugin_v1, as data.
set -u
checked=0 failures=0
for file in "$1"/plugins/*.so "$1"/test-plugins/*.so; do
  [ -e "$file" ] || continue
  # Fixtures that break this very rule on purpose say so in their name.
  case $(basename "$file") in broken-*) continue ;; esac
  checked=$((checked + 1))
  symbols=$(nm -D --defined-only "$file" | awk '{print $2, $3}')
  if ! [[ $symbols =~ ^[DRB]\ gantry_plugin_v1$ ]]; then
    echo "$file exports:"
    echo "${symbols:-nothing}"
    echo "expected exactly 'D gantry_plugin_v1'; build it with gantry_add_plugin()"
    failures=$((failures + 1))
  fi
done
echo "$checked plugins, $failures failures"
[ "$checked" -gt 0 ] && [ "$failures" -eq 0 ]

#!/bin/bash
# fixture_names.sh <repository>: the host contains no name that the conformance plugin offers, so the
# suite tests the behaviour that every plugin gets.
set -u
cd "$1" || exit 1
offered=$(cat plugins/conformance/fixtures/*.cpp | tr '\n' ' ' |
  grep -oE '(tool|prompt|resource|resource_template)\( *"[^"]+"' | sed -E 's/^[^"]*"(.*)"$/\1/' | sort -u)
seen=$(grep -c . <<<"$offered")
# Most of them have one prefix, which finds names that are put together from parts too.
found=$(grep -rnF test_ host; grep -rnwF -e "$offered" host)
[ -z "$found" ] || printf 'the host knows fixtures of the conformance suite:\n%s\n' "$found"
echo "$seen names looked for"
[ "$seen" -gt 20 ] && [ -z "$found" ]

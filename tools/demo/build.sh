#!/bin/bash
# usage: tools/demo/build.sh OUT.db [shop]
# Builds a demo database: countries from Debian's iso-codes, or the shop. OUT.db is replaced as a
# whole or left alone.
set -euo pipefail

out=${1:?usage: tools/demo/build.sh OUT.db [shop]}
json=${GANTRY_ISO_CODES:-/usr/share/iso-codes/json}
here=$(cd "$(dirname "$0")" && pwd)

case ${2-} in
  shop) recipe=$here/shop/shop.sql from=$here ;;
  '') recipe=$here/demo.sql from=$json ;;
  *) echo "build.sh: there is no demo '$2'; there is shop" >&2; exit 2 ;;
esac

# readfile() of a missing file is NULL and its table would stay empty, so look first.
for name in 3166-1 3166-2 3166-3 639-3 639-5 15924 4217; do
  if [[ $from == "$json" && ! -r $json/iso_$name.json ]]; then
    echo "build.sh: $json/iso_$name.json is missing; install the package iso-codes" >&2
    exit 1
  fi
done

mkdir -p "$(dirname "$out")"
out=$(cd "$(dirname "$out")" && pwd)/$(basename "$out")
new=$out.new.$$
trap 'rm -f "$new" "$new-journal"' EXIT

(cd "$from" && sqlite3 -batch -bail "$new" <"$recipe") >/dev/null
bad=$(sqlite3 -batch "$new" 'PRAGMA foreign_key_check; PRAGMA integrity_check;')
if [[ $bad != ok ]]; then
  echo "build.sh: the database does not hold together: $bad" >&2
  exit 1
fi
mv "$new" "$out"

#!/bin/bash
# configuration.sh <packages> <programs> <work dir>
# /etc/gantry/gantry.json as it is installed changes no default; with all its keys it is valid, and
# has every key that gantryd prints.
set -eu
packages=$1 programs=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
dpkg-deb -x "$packages"/gantry_*.deb "$work/root"
sample=$work/root/etc/gantry/gantry.json
keys() { sqlite3 :memory: "SELECT fullkey || '=' || coalesce(atom, type) FROM json_tree(CAST(readfile('$1') AS TEXT))
  WHERE fullkey NOT LIKE '\$.plugins%' AND key IS NOT NULL ORDER BY 1"; }

"$programs/gantryd" --print-config >"$work/defaults"
"$programs/gantryd" --print-config --config "$sample" >"$work/installed"
keys "$work/defaults" >"$work/defaults.keys"
keys "$work/installed" | diff "$work/defaults.keys" - || { echo "the installed file changes defaults"; exit 1; }

# Every key on, and none left behind slashes.
sed -E 's|^( *)// ("[a-z_A-Z0-9]+": )|\1\2|; s|^( *)// ([]}],?)$|\1\2|; s|^( *)// // |\1// |' "$sample" >"$work/all.json"
"$programs/gantryd" --print-config --config "$work/all.json" >"$work/all"
keys "$work/all" | diff "$work/defaults.keys" - || { echo "a value of the file is not the default"; exit 1; }
for key in $(sed -nE 's|^ *"([a-z_0-9]+)": .*|\1|p' "$work/defaults" | sort -u); do
  grep -qE "^ *\"$key\": " "$work/all.json" || { echo "the file lacks the key $key"; exit 1; }
done
for key in database model internal_fields memory_bytes secrets; do
  grep -qE "^ *\"$key\": " "$work/all.json" || { echo "the file lacks the plugins' key $key"; exit 1; }
done

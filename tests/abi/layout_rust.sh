#!/bin/bash
# layout_rust.sh <rustc> <this folder>: the Rust mirror of the contract has all of layout.txt.
set -eu
rustc=$1 here=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$rustc" --edition 2021 -D warnings -o "$work/layout" "$here/layout.rs"
"$work/layout" | sort >"$work/rust"
# The note's owner and type are the linker's business: a manifest is embedded, not called.
sed 's/ type .*//; /^GANTRY_NOTE_/d' "$here/layout.txt" | sort >"$work/c"
diff -u "$work/c" "$work/rust"

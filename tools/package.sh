#!/bin/bash
# usage: tools/package.sh [FOLDER]
# Builds gantry_VERSION_ARCH.deb and gantry-sdk_VERSION_ARCH.deb into FOLDER (default
# build/release/packages) and prints their paths. On a bare Debian 12 it first installs packages.
# JOBS bounds parallel jobs.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/tools/packages.sh"

case ${1-} in
  -h | --help) sed -n '2,5s/^# //p' "$0"; exit 0 ;;
esac
folder=$(realpath -m "${1:-$root/build/release/packages}")
build=$root/build/release

gantry_install_packages run package
cd "$root"
cmake --preset release >&2
cmake --build --preset release ${JOBS:+-j "$JOBS"} >&2
mkdir -p "$folder"
rm -f "$folder"/gantry_*.deb "$folder"/gantry-sdk_*.deb
(cd "$build" && cpack -G DEB -B "$folder" >&2)
rm -rf "$folder/_CPack_Packages"
ls "$folder"/gantry_*.deb "$folder"/gantry-sdk_*.deb

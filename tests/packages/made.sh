#!/bin/bash
# made.sh <cpack> <build dir> <folder>: makes both packages, and checks what is in them.
set -eu
cpack=$1 build=$2 folder=$3
rm -rf "$folder"
(cd "$build" && "$cpack" -G DEB -B "$folder" >"$build/packages.log" 2>&1) || { cat "$build/packages.log"; exit 1; }
rm -rf "$folder/_CPack_Packages"
arch=$(dpkg --print-architecture)
failures=0
wrong() { echo "$1"; failures=$((failures + 1)); }

# holds <package> <path…>
holds() {
  local file=$1 listed
  shift
  listed=$(dpkg-deb -c "$file" | awk '{print $6}')
  for path in "$@"; do grep -qxF "./$path" <<<"$listed" || wrong "$(basename "$file") lacks $path"; done
}
server=$(echo "$folder"/gantry_*_"$arch".deb) sdk=$(echo "$folder"/gantry-sdk_*_"$arch".deb)
holds "$server" usr/bin/gantryd usr/bin/gantry usr/libexec/gantry/gantry-worker \
  usr/lib/gantry/plugins/data.so usr/share/gantry/schemas/host/config.schema.json \
  usr/share/man/man1/gantryd.1.gz usr/share/man/man1/gantry-plugin-list.1.gz \
  usr/share/bash-completion/completions/gantry usr/share/zsh/vendor-completions/_gantryd \
  usr/share/fish/vendor_completions.d/gantry.fish lib/systemd/system/gantry.service \
  etc/gantry/gantry.json etc/gantry/secrets/ etc/logrotate.d/gantry usr/share/doc/gantry/copyright usr/share/doc/gantry/OPERATING.md
holds "$sdk" usr/include/gantry/abi/abi.h usr/lib/cmake/GantrySDK/GantrySDKConfig.cmake \
  usr/share/gantry/template/cpp/manifest.json usr/share/gantry/examples/c/plugin.c

# A file of both could not be installed.
both=$(for deb in "$server" "$sdk"; do dpkg-deb -c "$deb" | awk '$6 !~ /\/$/ {print $6}'; done | sort | uniq -d)
[ -z "$both" ] || wrong "files of both packages: $both"
# Only the operator's files are outside /usr, and only they are kept at an upgrade.
outside=$(dpkg-deb -c "$server" | awk '$6 !~ /\/$/ && $6 !~ /^.\/usr\// {print $6}' | sort | tr '\n' ' ')
[ "$outside" = './etc/gantry/gantry.json ./etc/logrotate.d/gantry ./lib/systemd/system/gantry.service ' ] ||
  wrong "outside /usr: $outside"
dpkg-deb -c "$server" | grep -qE '^drwx------ root/root .* \./etc/gantry/secrets/$' ||
  wrong "/etc/gantry/secrets is open to others"
dpkg-deb -c "$server" | awk '$1 ~ /^-.......w/ || $2 != "root/root" {print $6}' | grep . && wrong "others may write to these"
[ "$(dpkg-deb -f "$server" Version)" = "$("$build/bin/gantryd" --version | awk '{print $2}')" ] || wrong "the version differs from gantryd's"
dpkg-deb -f "$server" Depends | grep -q libsqlite3-0 || wrong "the libraries of plugins are no dependencies"

# Each page is good roff.
if command -v man >/dev/null; then
  pages=$(mktemp -d)
  trap 'rm -rf "$pages"' EXIT
  dpkg-deb -x "$server" "$pages"
  for page in "$pages"/usr/share/man/man1/*.gz; do
    said=$(LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
    [ -z "$said" ] || wrong "$(basename "$page"): $said"
  done
fi
exit $((failures > 0))

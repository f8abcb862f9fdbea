#!/bin/bash
# service.sh <gantry.service>: systemd understands every line, and rates the service's exposure at
# most 3.0 of 10.
set -eu
command -v systemd-analyze >/dev/null || { echo "skipped: there is no systemd-analyze"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Judged where gantryd may not be installed.
sed 's|^ExecStart=.*|ExecStart=/bin/true|' "$1" >"$work/gantry.service"
said=$(systemd-analyze verify --man=no --recursive-errors=no "$work/gantry.service" 2>&1 |
  grep "$work/gantry.service" || true)
[ -z "$said" ] || { echo "$said"; exit 1; }
systemd-analyze security --offline=true --threshold=30 --no-pager "$1" >"$work/said" ||
  { cat "$work/said"; exit 1; }
tail -n 1 "$work/said"
for line in User=gantry ProtectSystem=strict NoNewPrivileges=yes StateDirectory=gantry MemoryMax= \
  LimitNOFILE= LoadCredential=; do
  grep -q "^$line" "$1" || { echo "the service has no $line"; exit 1; }
done

#!/bin/bash
# containerfile.sh <Containerfile>: the rules that a Containerfile follows here.
set -eu
file=$1 failures=0
wrong() { echo "$(basename "$file"): $1"; failures=$((failures + 1)); }
last=$(awk '/^FROM /{text = ""} {text = text $0 "\n"} END {printf "%s", text}' "$file")

[ "$(grep -c '^FROM ' "$file")" = 2 ] || wrong "it needs two stages: the compiler stays in the first"
! grep -qE '^FROM [^: ]+( |$)|^FROM [^ ]*:latest' "$file" || wrong "a base image has no fixed tag"
grep -q '^USER ' <<<"$last" || wrong "the last stage runs as root"
! grep -qE '^USER (root|0)' <<<"$last" || wrong "the last stage runs as root"
grep -q '^HEALTHCHECK ' <<<"$last" || wrong "it has no health check"
grep -qE '^ENTRYPOINT \["gantryd"\]$' <<<"$last" || wrong "the entry point is no plain gantryd, which gets the signals"
! grep -q '^ADD ' "$file" || wrong "ADD fetches and unpacks; use COPY"
! grep -E '^RUN .*apt-get install' <<<"$last" | grep -vqE 'no-install-recommends.*rm -rf /var/lib/apt/lists' || wrong "apt-get leaves its lists, or installs what is only recommended"
! grep -qE '^(ENV|ARG) .*(KEY|SECRET|TOKEN|PASSWORD)' "$file" || wrong "a secret would be in the image"
awk '/^USER /{user = 1} /^RUN /{if (user) bad = 1} /^FROM /{user = 0} END {exit bad}' "$file" || wrong "RUN after USER"
unknown=$(grep -vE '^(#|$|FROM |WORKDIR |COPY |RUN |ENV |USER |VOLUME |EXPOSE |STOPSIGNAL |HEALTHCHECK |ENTRYPOINT |CMD |LABEL )' "$file" || true)
[ -z "$unknown" ] || wrong "unknown instructions: $unknown"
exit $((failures > 0))

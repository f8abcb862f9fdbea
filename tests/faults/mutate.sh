#!/bin/bash
# usage: mutate.sh SOURCE MUTANT OLD NEW
# Copies SOURCE to MUTANT with the text OLD, which must be there exactly once, replaced by NEW.
set -euo pipefail
text=$(<"$1")
rest=${text#*"$3"}
if [[ $rest == "$text" || $rest == *"$3"* ]]; then
  echo "$1: '$3' is not there exactly once; say what to break now" >&2
  exit 1
fi
printf '%s\n' "${text%%"$3"*}$4$rest" >"$2"

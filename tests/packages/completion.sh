#!/bin/bash
# completion.sh <packages> <work dir>: the installed scripts complete, in each shell that is here.
set -eu
packages=$1 work=$2 failures=0 skipped=''
rm -rf "$work"
mkdir -p "$work"
dpkg-deb -x "$packages"/gantry_*.deb "$work/root"
share=$work/root/usr/share

# expect <shell> <line> <words that are offered, among others>: the answer is in $said.
expect() {
  local shell=$1 line=$2 word
  shift 2
  for word in "$@"; do
    grep -qw -- "$word" <<<"$said" || { echo "$shell offers for '$line' no $word: $said"; failures=$((failures + 1)); }
  done
}

in_bash() {
  bash -c 'source "$1"; read -ra COMP_WORDS <<<"$2"; [[ $2 != *" " ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "_${COMP_WORDS[0]}"; echo "${COMPREPLY[*]}"' \
    bash "$share/bash-completion/completions/${1%% *}" "$1"
}
in_fish() { fish -c "source $share/fish/vendor_completions.d/${1%% *}.fish; complete -C '$1'"; }
# zsh completes at a terminal only; the colours are left out.
in_zsh() {
  zsh -f -c '
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PROMPT= ; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=10000"
    zpty -w shell "bindkey \"^I\" list-choices; zstyle \":completion:*\" list-prompt \"\"; stty columns 300; print -r ready-\$((40+2))"
    zpty -r shell line "*ready-42*"
    zpty -w -n shell "$2"$'"'\\t'"'
    sleep 1
    while zpty -r -t shell line; do print -r -- "$line"; done' zsh "$share/zsh/vendor-completions" "$1" | sed $'s/\e\\[[0-9;?]*[A-Za-z]/ /g'
}

for shell in bash fish zsh; do
  command -v "$shell" >/dev/null || { skipped+=" $shell"; continue; }
  said=$("in_$shell" 'gantry pl'); expect "$shell" 'gantry pl' plugin
  said=$("in_$shell" 'gantry plugin '); expect "$shell" 'gantry plugin ' list new check
  said=$("in_$shell" 'gantry plugin list --'); expect "$shell" 'gantry plugin list --' --json --control
  said=$("in_$shell" 'gantry completion '); expect "$shell" 'gantry completion ' bash zsh fish
  said=$("in_$shell" 'gantryd --log-level '); expect "$shell" 'gantryd --log-level ' trace off
  (cd "$work" && touch found.db && said=$("in_$shell" "gantry call --db fou") && expect "$shell" 'gantry call --db fou' found.db
    exit "$failures") || failures=1
done
((failures == 0)) || exit 1
[ -z "$skipped" ] || { echo "skipped, not installed:$skipped"; exit 77; }

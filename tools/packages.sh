# Sourced by run.sh and test.sh: installs missing packages of tools/packages.txt.

# gantry_install_packages WORD…  installs the missing packages of these purposes, and prints nothing
# when there are none. Needs root or sudo only if a package is missing.
gantry_install_packages() {
  local word package command missing=() as_root=()
  if ! command -v apt-get >/dev/null; then
    echo "Not a Debian system: install what tools/packages.txt lists yourself." >&2
    return 0
  fi
  while read -r word package command; do
    [[ " $* " == *" $word "* ]] || continue
    [[ -z $command ]] || ! command -v "$command" >/dev/null || continue
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' ||
      missing+=("$package")
  done <"${root:?}/tools/packages.txt"
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "These packages are missing and neither root nor sudo is here: ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo env DEBIAN_FRONTEND=noninteractive)
  fi
  echo "Installing ${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -q >&2
  "${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}" >&2
}

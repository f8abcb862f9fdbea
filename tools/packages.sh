# Sourced by run.sh and test.sh: install what is missing of tools/packages.txt.

# gantry_install_packages WORD…  installs the missing packages of these words, quietly when there
# are none. Needs root or sudo only if something is missing.
gantry_install_packages() {
  local list=$root/tools/packages.txt words="$*" wanted missing=() package as_root=()
  if ! command -v apt-get >/dev/null; then
    echo "Not a Debian system: install what tools/packages.txt lists yourself." >&2
    return 0
  fi
  wanted=$(awk -v words=" $words " '$1 !~ /^#/ && index(words, " " $1 " ") {print $2}' "$list")
  # Node installs the end-to-end tests' own Node; any npm that is already there will do for that.
  if [[ " $words " == *" test "* ]] && ! command -v npm >/dev/null; then
    wanted+=" nodejs npm"
  fi
  for package in $wanted; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' ||
      missing+=("$package")
  done
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

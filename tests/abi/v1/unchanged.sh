#!/bin/bash
# unchanged.sh <this folder>: the frozen headers, layout and plugins are those that were frozen.
# Nothing in here is ever edited again: what is wrong with it is part of version 1.
set -u
cd "$1" || exit 1
sha256sum --check --strict --quiet SHA256SUMS || {
  echo "Restore the files above: plugins in use were built from them. What is new goes to sdk/include."
  exit 1
}
listed=$(awk '{print $2}' SHA256SUMS | sort)
present=$(find include plugins layout.txt -type f | sort)
diff <(echo "$listed") <(echo "$present") || { echo "SHA256SUMS does not name every file"; exit 1; }

#!/bin/bash
# grown.sh <frozen layout> <layout of today>: everything in version 1 still exists, at the same
# offset, with the same type and value. Tables may have grown at their end and the minor version may
# have risen; structs that cross by value or without a size may not change.
set -u
awk -v fixed=" gantry_bytes gantry_sink gantry_answer " '
  NR == FNR { if ($2 == "size" && NF == 3) size[$1] = $3; else line[$0] = 1; value[$1] = $2; next }
  { if ($2 == "size" && NF == 3) {
      wanted[$1] = $3
      if (!($1 in size)) wrong($1 " is gone")
      else if (size[$1] < $3) wrong($1 " has shrunk from " $3 " to " size[$1] " bytes")
      else if (size[$1] > $3 && index(fixed, " " $1 " ")) wrong($1 " may not grow: it has no size")
    } else if ($1 == "GANTRY_ABI_MINOR") {
      if (value[$1] + 0 < $2 + 0) wrong("the minor version went back")
    } else if (!($0 in line)) wrong("no longer so: " $0)
  }
  function wrong(what) { print what; failures++ }
  END { if (failures) print "See sdk/ABI.md, How the contract changes."; exit failures > 0 }
' "$2" "$1"

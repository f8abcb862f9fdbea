#!/bin/bash
# stage.sh <cmake> <build dir> <stage>: installs the SDK alone and checks that it is complete.
set -eu
rm -rf "$3"
"$1" --install "$2" --component sdk --prefix "$3" >/dev/null
for file in include/gantry/abi/abi.h include/gantry/plugin.hpp include/gantry/status.hpp \
  include/gantry/schema/validator.hpp include/gantry/testing/fake_host.hpp \
  lib/cmake/GantrySDK/GantrySDKConfig.cmake lib/cmake/GantrySDK/plugin.map \
  share/gantry/schemas/plugin/manifest.schema.json share/gantry/template/cpp/manifest.json share/doc/gantry/ABI.md share/doc/gantry/README.md \
  share/gantry/rust/Cargo.toml share/gantry/examples/c/json.h share/gantry/examples/cpp/plugin.cpp; do
  [ -e "$3/$file" ] || { echo "not installed: $file"; exit 1; }
done
# No file of the host is installed with it.
if grep -rl '#include "host/' "$3/include"; then
  echo "installed headers include the host's"
  exit 1
fi

#!/bin/bash
# readme.sh <cmake> <stage> <programs> <readme> <work dir>
# The projects in the SDK's README build with nothing but the stage, and their tools answer. A code
# block whose info string has a path is that file.
set -eu
cmake=$1 stage=$2 programs=$3 readme=$4 work=$5
rm -rf "$work"
mkdir -p "$work/greeter" "$work/desk"
cd "$work"
awk '/^```[a-z]+ [a-z_]+\// { file = $2; next } /^```/ { file = "" } file { print > file }' "$readme"
sed 's/greeter/desk/g' greeter/CMakeLists.txt >desk/CMakeLists.txt
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
for project in greeter desk; do
  "$cmake" -S "$project" -B "$project/build" -DCMAKE_PREFIX_PATH="$stage" "${launcher[@]}" >/dev/null
  "$cmake" --build "$project/build"
done

export PHONE_KEY=secret XDG_STATE_HOME=$work/state
printf 'id,total\n1,5\n2,7\n' >orders.csv
"$programs/gantry" import orders.csv --class orders --db shop.db --create >/dev/null
call() {  # <expected part> <project> <arguments of gantry call…>
  local expected=$1 project=$2
  shift 2
  local answer
  answer=$("$programs/gantry" call "$@" --db shop.db --plugin "$project/build/plugins/$project.so")
  [[ $answer == *"$expected"* ]] || { echo "gantry call $*: expected '$expected', got: $answer"; exit 1; }
}
call 'Hello, Ada!' greeter greet name=Ada
call '"count":2' desk count_orders --config desk/gantry.json
call 'Ada did not answer.' desk dial name=Ada --config desk/gantry.json

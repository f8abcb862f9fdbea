#!/bin/bash
# clean_debian.sh <packages> <Containerfile> <test plugins> <work dir>
# In a Debian 12 where nothing else is installed: the steps of the Containerfile's last stage, its health
# check; then the package as a service: install, an operator's change, an upgrade under load, remove,
# purge. systemd itself cannot run here: a stand-in starts and stops what gantry.service says.
#
# Needs root, namespaces, debootstrap and a Debian mirror, else it is skipped. The Debian with the
# libraries is kept beside <work dir> until the dependencies change.
set -eu
skip() { echo "skipped: $1"; exit 77; }

if [ "${1-}" != --prepare ] && [ "${1-}" != --run ]; then
  [ "$(id -u)" = 0 ] || skip "only root can make a Debian root"
  command -v debootstrap >/dev/null || skip "there is no debootstrap"
  unshare --mount --net --pid --fork sh -c 'mount -t proc proc /proc && mount --rbind /dev /mnt' \
    2>/dev/null || skip "no namespaces or mounts can be made here"
  unshare --mount --pid --fork --kill-child "$0" --prepare "$@" || exit $?
  exec unshare --mount --net --pid --fork --kill-child "$0" --run "$@"
fi

phase=$1 packages=$2 containerfile=$3 plugins=$4 work=$5
here=$(dirname "$0") root=$work/root url=http://127.0.0.1:8765
deb=$(echo "$packages"/gantry_*.deb)
key=$({ dpkg-deb -f "$deb" Depends; cat "$containerfile"; } | sha256sum | cut -c1-16)
base=$work/base-$key.tar
last=$(awk '/^FROM /{text = ""} {text = text $0 "\n"} END {printf "%s", text}' "$containerfile")

in_root=(chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root
         DEBIAN_FRONTEND=noninteractive)
inside() { "${in_root[@]}" "$@"; }
mounts() {
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
}
fail() { echo "FAILED: $1"; tail -n 5 "$root/run/gantry.log" 2>/dev/null || true; exit 1; }

prepare() {
  [ ! -e "$base" ] || return 0
  rm -rf "$work"
  mkdir -p "$root"
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 2>/dev/null | head -n 1)
  debootstrap --variant=minbase bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$work/log" 2>&1 ||
    { tail -n 3 "$work/log"; rm -rf "$root"; skip "debootstrap cannot make a Debian here"; }
  mounts
  cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
  grep -rhs '^Acquire::' /etc/apt/apt.conf.d/99* >"$root/etc/apt/apt.conf.d/99host" || true
  inside apt-get update >>"$work/log" 2>&1 ||
    { tail -n 3 "$work/log"; umount -R "$root/proc" "$root/dev"; skip "no Debian mirror is reachable here"; }
  mkdir -p "$root/tmp/packages"
  cp "$deb" "$root/tmp/packages/"
  # The last stage's steps, as the container's build runs them.
  sed -n 's/^RUN //p' <<<"$last" | while read -r step; do
    inside sh -c "$step" >>"$work/log" 2>&1 </dev/null || { tail -n 20 "$work/log"; exit 1; }
  done
  umount -R "$root/proc" "$root/dev"
  tar -C "$root" -cf "$base.part" .
  mv "$base.part" "$base"
}

# words <instruction>: the JSON array of the Containerfile's instruction, a word a line.
words() {
  sed -n "s/^$1 [^[]*\(\[.*\]\)\$/\1/p" <<<"$last" >"$work/words"
  sqlite3 :memory: "SELECT value FROM json_each(CAST(readfile('$work/words') AS TEXT))"
}

wait_for_answer() {  # <seconds>
  local i
  for ((i = 0; i < $1 * 20; ++i)); do
    [ "$(curl -s -m 1 "$url/health")" != '{"status":"ok"}' ] || return 0
    sleep 0.05
  done
  return 1
}

container() {
  local user environment=() command=() check=() pid code=0
  user=$(sed -n 's/^USER //p' <<<"$last")
  read -ra environment <<<"$(sed -n 's/^ENV //p' <<<"$last")"
  mapfile -t command < <(words ENTRYPOINT; words CMD)
  mapfile -t check < <(words HEALTHCHECK)
  local as=(setpriv --reuid "$user" --regid "$user" --clear-groups env "${environment[@]}")
  inside "${as[@]}" "${command[@]}" >"$work/said" 2>&1 || code=$?
  [ "$code" = 2 ] || fail "the container serves other machines without a credential: exit $code"
  "${in_root[@]}" "${as[@]}" GANTRY_API_KEY=a-key-of-the-test-alone "${command[@]}" >"$work/said" 2>&1 &
  pid=$!
  wait_for_answer 20 || { cat "$work/said"; fail "the container does not serve"; }
  inside "${as[@]}" "${check[@]}" || fail "the health check finds a healthy container ill"
  kill -TERM $pid
  wait $pid || fail "the container does not end well at SIGTERM"
  ! inside "${as[@]}" "${check[@]}" 2>/dev/null || fail "the health check finds a dead container healthy"
  echo "container: serves with a key, refuses without"
}

rpc() {  # <session or ''> <message>
  curl -s -m 10 -D "${head:-/dev/null}" "$url/mcp" -H 'Content-Type: application/json' \
    -H 'Accept: application/json, text/event-stream' ${1:+-H "Mcp-Session-Id: $1"} -d "$2"
}
# call <id>: ids are unique in a session.
call() {
  rpc "$session" '{"jsonrpc":"2.0","id":"'"$1"'","method":"tools/call","params":{"name":"deed_brief","arguments":{}}}'
}

# Calls, one after the other, until <work>/enough is there. A server that restarts
# refuses connections for a moment; what it has accepted it answers.
load() {
  local answer code count=0
  while [ ! -e "$work/enough" ]; do
    code=0
    answer=$(call "$BASHPID-$((++count))") || code=$?
    echo "$code ${answer:0:200}" >>"$work/answers"
    [ "$code" = 0 ] || sleep 0.1
  done
}

install() {
  local start took
  inside dpkg --purge gantry >/dev/null 2>&1
  mkdir -p "$root/run/systemd/system"
  cp "$here/systemctl" "$root/usr/bin/systemctl"
  mkdir -p "$root/tmp/packages"
  cp "$deb" "$root/tmp/packages/gantry.deb"
  start=$(date +%s%N)
  inside dpkg -i /tmp/packages/gantry.deb >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg -i"; }
  wait_for_answer 10 || { cat "$work/log"; fail "the installed service does not answer"; }
  took=$((($(date +%s%N) - start) / 1000000))
  echo "install to first answer: $took ms"
  [ "$took" -le 5000 ] || fail "that is more than 5 s"
  [ "$(stat -c '%U %a' "$root/etc/gantry/secrets")" = 'root 700' ] || fail "/etc/gantry/secrets is open"
  [ "$(inside stat -c '%U %a' /var/lib/gantry)" = 'gantry 700' ] || fail "/var/lib/gantry is not the service's own"
  [ "$(inside stat -c %U "/proc/$(cat "$root/run/gantry.pid")")" = gantry ] || fail "the service is not its own user"
  inside gantry plugin list | grep -q '^data .*serving' || fail "root's gantry does not find the service"
}

# The operator adds a plugin and a secret.
change() {
  mkdir -p "$root/opt/plugins"
  cp "$plugins/script-worker.so" "$root/opt/plugins/"
  sed -i 's|// "plugin_files": \[\]|"plugin_files": ["/opt/plugins/script-worker.so"]|' "$root/etc/gantry/gantry.json"
  echo opened >"$root/etc/gantry/secrets/token"
  inside systemctl restart gantry.service
  wait_for_answer 10 || fail "the service does not answer after the operator's change"
  inside gantry plugin list | grep -q '^script-worker .*serving .*process' || fail "a plugin of the operator does not serve in its worker"
  [ "$(inside setpriv --reuid gantry --clear-groups cat /run/credentials/gantry.service/secrets_token)" = opened ] || fail "the service cannot read its secret"
}

# The same package with a higher version.
newer() {
  rm -rf "$work/newer"
  dpkg-deb -R "$deb" "$work/newer"
  sed -i 's/^Version: .*/&+1/' "$work/newer/DEBIAN/control"
  dpkg-deb -Znone -b "$work/newer" "$root/tmp/packages/newer.deb" >/dev/null
}

upgrade() {
  local before after i
  head=$work/head rpc '' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}' >"$work/said"
  session=$(sed -n 's/^Mcp-Session-Id: \(.*\)\r$/\1/Ip' "$work/head")
  [ -n "$session" ] || { cat "$work/said"; fail "no session"; }
  call before | grep -q '"result"' || fail "the call of the load does not work"
  before=$(cat "$root/run/gantry.pid")
  rm -f "$work/enough" "$work/answers"
  local loads=()
  for i in 1 2 3 4; do load & loads+=($!); done
  sleep 1
  inside dpkg -i /tmp/packages/newer.deb >"$work/log" 2>&1 </dev/null || { cat "$work/log"; fail "dpkg -i of the newer"; }
  wait_for_answer 10 || fail "the service does not answer after the upgrade"
  sleep 1
  touch "$work/enough"
  wait "${loads[@]}"
  after=$(cat "$root/run/gantry.pid")
  [ "$before" != "$after" ] || fail "the upgrade left the old server running"
  # Without an answer: refused while no server listened (7), or cut before the call was taken up (52,
  # 56). What ran was answered: the log has a line for each call that did.
  if grep -m 5 -vE '^(7|52|56) $|^0 .*"result"|^0 .*(shutting|stopping|draining)|^0 {"status":"' "$work/answers"; then
    fail "calls broke in the upgrade"
  fi
  local ran answered
  ran=$(grep -c 'call tool=deed_brief' "$root/run/gantry.log")
  answered=$(($(grep -c '"result"' "$work/answers") + 1))
  [ "$ran" = "$answered" ] || fail "$ran calls ran, $answered were answered"
  call after | grep -q '"result"' || fail "the session ended with the old server"
  grep -q 'stopped' "$root/run/gantry.log" || fail "the old server did not end in order"
  grep -q 'script-worker.so' "$root/etc/gantry/gantry.json" || fail "the upgrade took the operator's configuration"
  echo "upgrade: $(grep -c '"result"' "$work/answers") calls answered, $(grep -cE '^(7|52|56) ' "$work/answers" || true) not taken, the session goes on"
}

leave() {
  inside dpkg -r gantry >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg -r"; }
  ! curl -s -m 1 "$url/health" >/dev/null || fail "the service runs after its removal"
  [ -e "$root/etc/gantry/gantry.json" ] && [ -d "$root/var/lib/gantry" ] || fail "a removal took configuration or state"
  [ ! -e "$root/usr/bin/gantryd" ] || fail "a removal left gantryd"
  inside dpkg --purge gantry >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg --purge"; }
  local left
  left=$(cd "$root" && find etc var usr lib opt run/gantry -name '*gantry*' 2>/dev/null | grep -v '^var/lib/dpkg/\|^var/cache' || true)
  [ -z "$left" ] || fail "a purge left $left"
  echo "remove and purge: nothing is left"
}

case $phase in
  --prepare) prepare; exit ;;
esac
# The loopback of this network namespace is raised by an ioctl: ip(8) may be missing.
perl -e 'use Socket; socket(S, AF_INET, SOCK_DGRAM, 0); $lo = pack("a16sx14", "lo", 0x41);
  ioctl(S, 0x8914, $lo) or exit 1'
rm -rf "$root"
mkdir -p "$root"
tar -C "$root" -xf "$base"
mounts
# The files of the package as it is now, in the Debian of its dependencies.
mkdir -p "$root/tmp/packages"
cp "$deb" "$root/tmp/packages/gantry.deb"
inside dpkg -i /tmp/packages/gantry.deb >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg -i"; }
container
install
change
newer
upgrade
leave

#!/usr/bin/env bash
# Installs the packages of dist/packages on fresh Debian systems (scripts/tree.sh), as a new user would: runs a cell, verifies guarantees,
# upgrades while a cell runs, and removes. Prints seconds and sizes, and stops with what was wrong.
#   scripts/fresh.sh [--packages DIRECTORY] [--verify 'ID…'|all] [SUITE-KIND…]        SUITE: bookworm, trixie. KIND: deb, archive, npm, container
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
packages=$PWD/dist/packages
verify='' wanted=()
while [ "$#" -gt 0 ]; do
  case "$1" in
    -h | --help) sed -n '2,4s/^# \{0,2\}//p' "$0"; exit ;;
    --packages) packages=$(realpath "$2"); shift ;;
    --verify) verify=$2; shift ;;
    bookworm-* | trixie-*) wanted+=("$1") ;;
    *) echo "fresh: $1 is neither an option nor SUITE-KIND; see --help" >&2; exit 2 ;;
  esac
  shift
done
[ "${#wanted[@]}" -gt 0 ] || wanted=({bookworm,trixie}-{deb,archive,npm} bookworm-container)
version=$(node -p 'require("./package.json").version')
next=$version.1
work=$(mktemp -d)
docker_process=''
trap '[ -z "$docker_process" ] || { kill "$docker_process"; wait "$docker_process"; } 2>/dev/null; rm -rf "$work"' EXIT

fail() { echo "fresh: $what: $1" >&2; exit 1; }
now() { date +%s%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f s", (b - a) / 1e9 }'; }
say() { printf '%-16s  %s\n' "$what" "$1"; }

# In the tree of the suite, with what was changed there before.
there() { scripts/tree.sh enter --changes "$changes" --bind "$packages:/packages" "${more[@]}" "$@"; }
as_user() { there --user "$tree" sh -c "cd; PATH=\$HOME/.local/bin:\$PATH; $1"; }
as_root() { there "$tree" sh -c "PATH=\$HOME/.local/bin:\$PATH; $1"; }
online() { there --online "$tree" sh -c "$1" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; fail "failed: $1"; }; }
expect() {
  local found
  found=$("$1" "$2" 2>&1) || fail "$1: $2: $found"
  case $found in *"$3"*) ;; *) fail "$1: $2 printed: $found" ;; esac
}

install_dependencies='apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends'

# Makes the package of a later version out of this one.
next_deb() {
  [ -e "$work/next.deb" ] && return
  dpkg-deb -R "$packages"/paddock_"${version}"_amd64.deb "$work/deb"
  sed -i "s/^Version: .*/Version: $next/" "$work/deb/DEBIAN/control"
  sed -i "s#/$version\"#/$next\"#g" "$work/deb/DEBIAN/postinst"
  sed -i "s#^here=.*/$version\$#here=/usr/lib/paddock/$next#" "$work/deb/usr/bin/paddock"
  sed -i "s/\"version\": \"$version\"/\"version\": \"$next\"/" "$work/deb/usr/lib/paddock/package/package.json"
  (cd "$work/deb" && find usr -type f -exec md5sum {} + >DEBIAN/md5sums)
  dpkg-deb --root-owner-group -Znone --build "$work/deb" "$work/next.deb" >/dev/null
  rm -rf "$work/deb"
}
next_archive() {
  [ -e "$work/next/SHA256SUMS" ] && return
  mkdir -p "$work/next/paddock-$next-linux-x64"
  tar -xzf "$packages/paddock-$version-linux-x64.tar.gz" -C "$work/next/paddock-$next-linux-x64" --strip-components=1
  echo "$next" >"$work/next/paddock-$next-linux-x64/VERSION"
  sed -i "s/\"version\": \"$version\"/\"version\": \"$next\"/" "$work/next/paddock-$next-linux-x64/program/package.json"
  tar -cf - -C "$work/next" "paddock-$next-linux-x64" | gzip -1 >"$work/next/paddock-$next-linux-x64.tar.gz"
  rm -rf "$work/next/paddock-$next-linux-x64"
  (cd "$work/next" && sha256sum ./*.gz | sed 's# \./# #' >SHA256SUMS)
  sed "s/^release=.*/release='$next'/; s/^public_key=.*/public_key=''/" packaging/install.sh >"$work/next/install.sh"
}

# A cell that ends after the upgrade must end well, and the command must be the new one: upgrade AS COMMAND
upgrade() {
  local run='mkdir -p p && cd p && paddock run -- sh -c "sleep 8; echo made > made" > ../ran 2>&1; echo ended $? >> ../ran'
  if [ "$1" = user ]; then run="setpriv --reuid user --regid user --init-groups env HOME=/home/user sh -c 'cd && $run'"; fi
  as_root "($run) & sleep 3; $2 >/dev/null && wait && paddock --version" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail 'the upgrade failed'; }
}

try_run() {
  local each start only
  for each in "$@"; do
    start=$(now)
    expect "as_$each" 'mkdir -p p && cd p && paddock run -- sh -c "id -u > made" && cat made' done
    say "$each: first cell in $(since "$start")"
    [ -z "$verify" ] || {
      start=$(now)
      case $verify in all) only='' ;; *) only=$(printf ' --only %s' $verify) ;; esac
      expect "as_$each" "paddock verify$only" ' 0 broken'

      say "$each: verified in $(since "$start")"
    }
  done
}

of_deb() {
  local start
  start=$(now)
  online "$install_dependencies /packages/paddock_${version}_amd64.deb"
  say "installed in $(since "$start"), $(as_root 'du -sm /usr/lib/paddock | cut -f1') MB"
  try_run user root
  next_deb
  more=(--bind "$work/next.deb:/next.deb")
  upgrade user 'dpkg -i /next.deb'
  expect as_user 'cat ran p/made' 'ended 0'
  expect as_user 'paddock --version' "$next"
  expect as_root 'ls /usr/lib/paddock' "$next"
  expect as_root 'cd /home/user/p && (setpriv --reuid user --regid user --init-groups env HOME=/home/user paddock run -- sleep 6 >/dev/null 2>&1) &
    sleep 3; dpkg -r paddock 2>&1 || true; wait' 'it still runs (process IDs:'
  expect as_root 'dpkg -P paddock && ! command -v paddock && ! ls /usr/lib/paddock 2>/dev/null && echo gone' gone
  say 'upgraded while a cell ran, and removed'
}

of_archive() {
  local start each
  start=$(now)
  online "$install_dependencies bubblewrap git perl-base util-linux ca-certificates"
  say "dependencies installed in $(since "$start")"
  next_archive
  more=(--bind "$work/next:/next")
  for each in user root; do
    start=$(now)
    expect "as_$each" 'sh /packages/install.sh' 'is in'
    say "$each: installed in $(since "$start"), $("as_$each" 'du -sm ~/.local/lib/paddock | cut -f1') MB"
    try_run "$each"
    expect "as_$each" "(cd p && paddock run -- sh -c 'sleep 6' > ../ran 2>&1; echo ended \$? >> ../ran) & sleep 3
      sh /next/install.sh >/dev/null && paddock --version && wait && cat ran" "$next"
    expect "as_$each" 'cat ran' 'ended 0'
    expect "as_$each" "(cd p && paddock run -- sleep 6 >/dev/null 2>&1) & sleep 3; sh /packages/install.sh --uninstall 2>&1 || true; wait" 'it still runs (process IDs:'
    expect "as_$each" 'sh /packages/install.sh --uninstall && ! ls ~/.local/bin/paddock ~/.local/lib/paddock 2>/dev/null' 'is removed'
    say "$each: upgraded while a cell ran, and removed"
  done
}

of_npm() {
  local start each
  online "$install_dependencies bubblewrap git perl-base util-linux ca-certificates"
  more=(--bind "$(dirname "$(dirname "$(realpath "$(command -v npm)")")"):/npm" --bind "$(realpath node_modules/node/bin/node):/usr/local/bin/node")
  for each in user root; do
    start=$(now)
    local as=()
    [ "$each" = root ] || as=(--user)
    there --online "${as[@]}" "$tree" sh -c 'node /npm/bin/npm-cli.js install --global --prefix "$HOME/.local" --no-audit --no-fund --loglevel=error /packages/paddock-*.tgz' \
      >"$work/log" 2>&1 || { cat "$work/log" >&2; fail 'npm failed'; }
    say "$each: installed in $(since "$start"), $("as_$each" 'du -sm ~/.local/lib/node_modules | cut -f1') MB"
    try_run "$each"
  done
}

# The image of the package in Docker: as its user with the profile that belongs to it, and what is said with Docker's defaults and as root.
of_container() {
  local engine=$work/docker start
  command -v dockerd >/dev/null || fail 'dockerd is missing. Run: apt-get install docker.io'
  start=$(now)
  [ -e "$packages/paddock-$version-image-amd64.tar.gz" ] || bash scripts/package/image.sh "$packages" >/dev/null
  say "image made in $(since "$start"), $(($(stat -c %s "$packages"/paddock-"$version"-image-amd64.tar.gz) / 1000000)) MB"
  mkdir -p "$engine"
  export DOCKER_HOST=unix://$engine/docker.sock
  dockerd --data-root "$engine/data" --exec-root "$engine/exec" -H "$DOCKER_HOST" --pidfile "$engine/pid" --iptables=false --bridge=none \
    >"$engine/log" 2>&1 &
  docker_process=$!
  for _ in $(seq 100); do [ -S "$engine/docker.sock" ] && docker version >/dev/null 2>&1 && break; sleep 0.2; done
  docker load -qi "$packages/paddock-$version-image-amd64.tar.gz" >/dev/null 2>"$work/log" || { cat "$work/log" "$engine/log" >&2; fail 'the image was not loaded'; }
  say "$(docker images --format '{{.Size}}' paddock) in Docker"
  expect with_profile_as_user 'mkdir p && cd p && paddock run -- sh -c "id -u > made" && cat made' 'done after'
  expect with_profile_as_root 'cd && mkdir p && cd p && ! paddock run -- true' 'Run Paddock as an ordinary user'
  start=$(now)
  case $verify in all) only='' ;; *) only=$(printf ' --only %s' ${verify:-home-absent}) ;; esac
  expect with_profile_as_user "paddock verify$only" ' 0 broken'
  say "user: verified in $(since "$start")"
  expect with_defaults 'mkdir p && cd p && ! paddock run -- true' 'The cell could not be built: '
  say "with Docker's defaults: $(with_defaults 'mkdir p && cd p && paddock run -- true' 2>&1 | tail -n +2 | tr '\n' ' ')"
  docker rmi -f paddock:"$version" >/dev/null
  kill "$docker_process" && wait "$docker_process" 2>/dev/null || true
  docker_process=''
}
in_docker() { docker run --rm --network none --entrypoint sh "$@"; }
strict=(--security-opt systempaths=unconfined --security-opt no-new-privileges --cap-drop ALL --read-only --tmpfs /tmp:exec)
with_profile_as_user() {
  in_docker "${strict[@]}" --security-opt seccomp="$packages/seccomp.json" --tmpfs /home/paddock:exec,uid=1000 "paddock:$version" -c "$1"
}
with_profile_as_root() { in_docker --user 0 --security-opt seccomp="$packages/seccomp.json" --security-opt systempaths=unconfined "paddock:$version" -c "$1"; }
with_defaults() { in_docker "paddock:$version" -c "$1"; }

for what in "${wanted[@]}"; do
  tree=$(scripts/tree.sh make "${what%-*}")
  changes=$work/changes more=()
  "of_${what#*-}"
  rm -rf "$changes"
done

#!/usr/bin/env bash
# Makes trees of Debian releases and runs commands in them, so that Paddock can be tried on systems other than this machine's. Needs root.
#
# scripts/tree.sh make SUITE [PACKAGE…]
#     Makes the tree of a release (bookworm, trixie) with these packages, unless it exists, and prints its directory. A tree has a user
#     named `user`. Trees are kept in $PADDOCK_LAB (by default ~/.cache/paddock-lab). Packages come from this machine's own Debian mirror.
# scripts/tree.sh enter [OPTION…] TREE COMMAND [ARGUMENT…]
#     Runs a command with a tree as its root directory, and exits as the command did. The command has its own processes, /tmp, /dev/shm and,
#     by default, a network that has only a loopback device. The tree itself is not changed.
#     --user            as `user`; otherwise as root
#     --changes DIR     keeps what the command changes in DIR, for the next command; otherwise it is removed
#     --bind FROM[:TO]  shows a file or directory of this machine, read-only
#     --over FROM[:TO]  shows a directory that the command can change, and keeps the changes like those of the tree
#     --env NAME=VALUE  sets a variable; only a few are set otherwise
#     --cwd DIR         starts in this directory; otherwise in the home directory
#     --online          with the network, proxies, certificates and package configuration of this machine
#     --direct          changes the tree itself
#
# scripts/tree.sh mirror
#     Prints the address of that mirror, and nothing if there is none, so that no tree can be made.
#
# The root is changed with pivot_root(8), because the kernel refuses user namespaces in a chroot(2).
set -euo pipefail
self=$(realpath "${BASH_SOURCE[0]}")
lab=${PADDOCK_LAB:-${HOME:-/root}/.cache/paddock-lab}

fail() { echo "tree: $1" >&2; exit "${2:-125}"; }
usage() { sed -n '4,5p; 7,8p' "$self" | sed 's/^# *//' >&2; exit 2; }

# The address of the Debian mirror that this machine's apt uses.
mirror() {
  # shellcheck disable=SC2016 # apt replaces these.
  apt-get indextargets --format '$(LABEL) $(SITE)' 'Created-By: Packages' 2>/dev/null | sed -n '/^Debian http/ { s/^Debian //p; q }'
}

make_tree() {
  local suite=$1 base=$lab/$1 tree
  shift
  tree=$base
  [ "$#" = 0 ] || tree=$base.$(printf '%s\n' "$@" | sort | sha256sum | cut -c 1-12)
  mkdir -p "$lab/archives"
  exec 9>"$lab/$suite.lock"
  flock 9
  [ -e "$base/etc/os-release" ] || bootstrap "$suite" "$base"
  if [ ! -e "$tree/etc/os-release" ]; then
    rm -rf "$tree.new"
    cp -a --reflink=auto "$base" "$tree.new"
    "$self" enter --direct --online "$tree.new" sh -c \
      'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"' sh "$@" >"$tree.log" 2>&1 9>&- ||
      { tail -20 "$tree.log" >&2; fail "apt-get failed in the tree of $suite"; }
    mv "$tree.new" "$tree"
  fi
  echo "$tree"
}

bootstrap() {
  local suite=$1 tree=$2 from
  command -v debootstrap >/dev/null || fail "debootstrap is missing. Run: apt-get install debootstrap"
  from=$(mirror)
  [ -n "$from" ] || fail "this machine's apt has no Debian mirror"
  rm -rf "$tree.new"
  debootstrap --variant=minbase --include=ca-certificates --cache-dir="$(realpath "$lab/archives")" \
    --keyring=/usr/share/keyrings/debian-archive-keyring.gpg "$suite" "$tree.new" "$from" >"$tree.log" 2>&1 9>&- ||
    { tail -20 "$tree.log" >&2; fail "debootstrap failed for $suite"; }
  "$self" enter --direct "$tree.new" useradd --create-home --shell /bin/bash user 9>&-
  mv "$tree.new" "$tree"
}

# Names of variables that a command with --online gets.
online_variables=(http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY)

enter() {
  local user=root changes='' cwd='' online='' direct='' each
  local binds=() overs=() variables=()
  while [ "$#" -gt 0 ]; do
    case "$1" in
      --user) user=user ;;
      --online) online=1 ;;
      --direct) direct=1 ;;
      --changes) changes=$2; shift ;;
      --bind) binds+=("$2"); shift ;;
      --over) overs+=("$2"); shift ;;
      --env) variables+=("$2"); shift ;;
      --cwd) cwd=$2; shift ;;
      -*) usage ;;
      *) break ;;
    esac
    shift
  done
  [ "$#" -ge 2 ] || usage
  local tree=$1
  shift
  [ -e "$tree/etc/os-release" ] || fail "$tree is not a tree. Run: scripts/tree.sh make SUITE"
  local network=(--net)
  if [ -n "$online" ]; then
    network=()
    for each in "${online_variables[@]}"; do [ -z "${!each:-}" ] || variables+=("$each=${!each}"); done
  fi
  local own=''
  if [ -z "$changes" ]; then
    own=$(mktemp -d "$lab/use.XXXXXX")
    changes=$own
  fi
  mkdir -p "$changes"
  changes=$(realpath "$changes")
  local code=0
  # The variables are for `inside`, which runs in the new namespaces.
  TREE=$(realpath "$tree") CHANGES=$changes AS=$user CWD=$cwd ONLINE=$online DIRECT=$direct \
    BINDS=$(printf '%s\n' ${binds+"${binds[@]}"}) OVERS=$(printf '%s\n' ${overs+"${overs[@]}"}) \
    VARIABLES=$(printf '%s\n' ${variables+"${variables[@]}"}) \
    unshare --mount --propagation private --pid --fork --kill-child --ipc --uts "${network[@]}" "$self" inside "$@" || code=$?
  [ -z "$own" ] || rm -rf "$own"
  return "$code"
}

# Shows FROM at TO: show FROM TO
show() {
  local to=$root$2
  if [ -d "$1" ]; then mkdir -p "$to"; else
    mkdir -p "$(dirname "$to")"
    [ -e "$to" ] || : >"$to"
  fi
  mount --bind "$1" "$to"
}
# Shows a directory of which the changes are kept elsewhere: layer NAME FROM TO
layer() {
  mkdir -p "$CHANGES/$1/upper" "$CHANGES/$1/work" "$3"
  [ -e "$CHANGES/$1/made" ] || { chown --reference="$2" "$CHANGES/$1/upper"; chmod --reference="$2" "$CHANGES/$1/upper"; : >"$CHANGES/$1/made"; }
  mount -t overlay -o "lowerdir=$2,upperdir=$CHANGES/$1/upper,workdir=$CHANGES/$1/work" overlay "$3"
}
# Shows a copy of a directory of the tree, so that it is not an overlay, on which no other can be made: plain DIR
plain() {
  [ -e "$CHANGES$1" ] || { mkdir -p "$(dirname "$CHANGES$1")"; cp -a "$TREE$1" "$CHANGES$1"; }
  mount --bind "$CHANGES$1" "$root$1"
}

# Variables in capitals come from `enter`.
# shellcheck disable=SC2153
inside() {
  local root each from to n=0
  if [ -n "$DIRECT" ]; then
    root=$TREE
    mount --bind "$root" "$root"
  else
    root=$CHANGES/root-directory
    layer tree "$TREE" "$root"
    for each in /home /root /tmp /var/tmp; do plain "$each"; done
  fi
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
  mount -t tmpfs -o mode=755 run "$root/run"
  local variables=()
  while IFS= read -r each; do [ -z "$each" ] || variables+=("$each"); done <<<"$VARIABLES"
  if [ -n "$ONLINE" ]; then
    show "$(realpath /etc/resolv.conf)" /etc/resolv.conf
    for each in /etc/apt/apt.conf.d /etc/apt/auth.conf.d; do [ ! -d "$each" ] || show "$each" "$each"; done
    mkdir -p "$lab/archives/partial"
    show "$lab/archives" /var/cache/apt/archives
    from=${SSL_CERT_FILE:-${NODE_EXTRA_CA_CERTS:-}}
    if [ -f "$from" ]; then
      show "$(realpath "$from")" /run/certificates.pem
      variables+=(SSL_CERT_FILE=/run/certificates.pem NODE_EXTRA_CA_CERTS=/run/certificates.pem)
    fi
    from=${NPM_CONFIG_USERCONFIG:-${HOME:-/root}/.npmrc}
    if [ -f "$from" ]; then
      show "$from" /run/npmrc
      variables+=(NPM_CONFIG_USERCONFIG=/run/npmrc)
    fi
  else
    ip link set lo up
  fi
  while IFS= read -r each; do
    [ -n "$each" ] || continue
    n=$((n + 1)) from=${each%%:*} to=${each#*:}
    layer "over$n" "$(realpath "$from")" "$root$to"
  done <<<"$OVERS"
  while IFS= read -r each; do
    [ -n "$each" ] || continue
    from=${each%%:*} to=${each#*:}
    show "$(realpath "$from")" "$to"
    mount -o remount,bind,ro "$root$to"
  done <<<"$BINDS"
  hostname tree
  cd "$root"
  pivot_root . mnt
  cd /
  hash -r
  export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  umount -l /mnt
  local home=/root become=()
  if [ "$AS" = user ]; then
    home=/home/user
    become=(setpriv --reuid user --regid user --init-groups)
  fi
  cd "${CWD:-$home}"
  exec "${become[@]}" env -i PATH="$PATH" HOME="$home" USER="$AS" LOGNAME="$AS" LANG=C.UTF-8 TERM="${TERM:-dumb}" \
    ${variables+"${variables[@]}"} "$@"
}

[ "${1:-}" != mirror ] || { mirror; exit; }
[ "$#" -ge 2 ] || usage
[ "$(id -u)" = 0 ] || fail "needs root"
command=$1
shift
case "$command" in
  make) make_tree "$@" ;;
  enter) enter "$@" ;;
  inside) inside "$@" ;;
  *) usage ;;
esac

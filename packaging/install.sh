#!/bin/sh
# Installs Paddock for one user, without root: the program with its own Node below PREFIX/lib/paddock, and a link in PREFIX/bin. If it is
# installed already, it is upgraded, and a Paddock that runs keeps the files of its version.
#   sh install.sh [--prefix DIRECTORY] [--from DIRECTORY|URL]
#   sh install.sh --uninstall [--prefix DIRECTORY]
# PREFIX is ~/.local by default. The archives are next to this script by default.
set -u
umask 022
# A project may be in PATH (direnv, node_modules/.bin), so programs of the system come first.
users_path=$PATH
PATH=/usr/bin:/bin:/usr/sbin:/sbin:$PATH

# The version of this script, which installs no other one: an old package has a signature, too.
release=''
from=''
public_key=''

stop() {
  echo "install: $1" >&2
  [ -z "${2:-}" ] || echo "  hint: $2" >&2
  exit "${3:-125}"
}

# Prints the processes that run from a directory. /proc shows its path without links.
running() {
  real=$(cd "$1" 2>/dev/null && pwd -P) || return 0
  ls -l /proc/[0-9]*/exe 2>/dev/null | grep -F "/exe -> $real/" | sed 's|.* /proc/\([0-9]*\)/exe -> .*|\1|' | tr '\n' ' '
}

fetch() {
  case $from in
    http://* | https://*)
      if command -v curl >/dev/null; then
        # By no redirect from https to http.
        curl --proto "=${from%%://*}" -fsSL -o "$work/$1" "${from%/}/$1"
      elif command -v wget >/dev/null; then
        wget -q -O "$work/$1" "${from%/}/$1"
      else
        stop 'neither curl nor wget is installed.' 'install one of them'
      fi
      ;;
    *) cp "$from/$1" "$work/$1" 2>/dev/null ;;
  esac
}

check_signature() {
  [ -n "$public_key" ] || return 0
  case $(openssl version 2>/dev/null) in
    'OpenSSL '[3-9]* | 'OpenSSL '[1-9][0-9]*) ;;
    *) stop 'OpenSSL 3 or newer is needed to check the signature of the packages.' 'install openssl' ;;
  esac
  fetch SHA256SUMS.sig || stop "there is no SHA256SUMS.sig in $from, so nobody has signed these packages."
  printf '%s\n' "$public_key" >"$work/key.pem"
  openssl pkeyutl -verify -pubin -inkey "$work/key.pem" -rawin -in "$work/SHA256SUMS" -sigfile "$work/SHA256SUMS.sig" >/dev/null 2>&1 ||
    stop "the signature of SHA256SUMS in $from is wrong, so nothing is installed." 'download install.sh and the packages again, from the same place'
}

check_system() {
  [ "$(uname -s)" = Linux ] || stop "these packages are for Linux; this is $(uname -s)." 'install Node 24 and the npm package'
  case $(uname -m) in
    x86_64) processor=x64 loader=/lib64/ld-linux-x86-64.so.2 ;;
    aarch64) processor=arm64 loader=/lib/ld-linux-aarch64.so.1 ;;
    *) stop "there are packages for x86_64 and aarch64; this is $(uname -m)." 'install Node 24 and the npm package' ;;
  esac
  [ -e "$loader" ] || stop "the Node of these packages needs the C library of GNU, and this system has another one (Alpine has musl)." \
    'use the image for containers, or a system with glibc'
}

unpack() {
  version=$(echo "${release:-[0-9][0-9A-Za-z.+-]*}" | sed 's/\.\([0-9]\)/\\.\1/g')
  sums=$(sed -n "s/^[0-9a-f]*  \(paddock-$version-linux-$processor\.tar\.[gx]z\)$/\1/p" "$work/SHA256SUMS")
  archive=$(echo "$sums" | grep 'gz$' | tail -n 1)
  if command -v xz >/dev/null && echo "$sums" | grep -q 'xz$'; then archive=$(echo "$sums" | grep 'xz$' | tail -n 1); fi
  [ -n "$archive" ] || stop "SHA256SUMS in $from names no package${release:+ of version $release} for $processor." \
    'use the install.sh that is next to these packages'
  fetch "$archive" || stop "$archive could not be fetched from $from." "it needs 200 MB of free space in $library"
  (cd "$work" && grep "  $archive\$" SHA256SUMS | sha256sum -c --status) ||
    stop "$archive is not the file that SHA256SUMS names; perhaps its download broke off." 'download it again'
  errors=$(tar -C "$work" -xf "$work/$archive" --strip-components=1 2>&1) ||
    stop "$archive could not be unpacked: $(echo "$errors" | head -n1)" "it needs 200 MB of free space in $library"
  errors=$("$work/program/node/bin/node" --version 2>&1) || stop "its Node does not start here: $(echo "$errors" | tail -n1)" \
    'it needs a C library of GNU that is not older than 2.28, and a directory without the mount option noexec'
}

# Puts the unpacked version in its place. What a running Paddock uses stays.
put() {
  version=$(cat "$work/VERSION")
  # One installation at a time, because each removes the other versions.
  if command -v flock >/dev/null; then exec 9<"$library" && flock 9; fi
  if [ -e "$library/$version" ]; then mv "$library/$version" "$library/.replaced-$$"; fi
  mv -T "$work/program" "$library/$version" || stop "$library/$version cannot be written."
  (cd "$work/share" && find . -type f) | sed 's|^\./||' >"$library/shared-files"
  mkdir -p "$prefix/share" "$prefix/bin"
  cp -R "$work/share/." "$prefix/share/" || stop "$prefix/share cannot be written."
  ln -sfn "../lib/paddock/$version/bin/paddock" "$work/link" && mv -fT "$work/link" "$prefix/bin/paddock" ||
    stop "$prefix/bin/paddock cannot be written."
  for each in "$library"/.replaced-* "$library"/[0-9]*; do
    [ "$each" = "$library/$version" ] || [ -n "$(running "$each")" ] || rm -rf "$each"
  done
}

install() {
  check_system
  if [ -z "$from" ]; then
    from=$(cd "$(dirname "$0")" && pwd)
    [ -e "$from/SHA256SUMS" ] || stop "the packages are not next to this script (there is no $from/SHA256SUMS)." 'say where: --from DIRECTORY|URL' 2
  fi
  mkdir -p "$library" 2>/dev/null && work=$(mktemp -d "$library/.install-XXXXXX" 2>/dev/null) ||
    stop "$library cannot be written." 'choose another directory: --prefix DIRECTORY'
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM HUP
  # Left by an installation that was killed.
  find "$library" -maxdepth 1 -name '.install-*' -mmin +60 -exec rm -rf {} +
  fetch SHA256SUMS || stop "there is no SHA256SUMS in $from."
  check_signature
  unpack
  put
  echo "Paddock $version is in $library/$version, and its command is $prefix/bin/paddock."
  found=$(PATH=$users_path && command -v paddock)
  if [ -z "$found" ]; then
    echo "Put $prefix/bin on your PATH: export PATH=\"$prefix/bin:\$PATH\""
  elif [ "$found" != "$prefix/bin/paddock" ]; then
    echo "On your PATH, $found comes first. It is another installation of Paddock."
    echo "To use this one: export PATH=\"$prefix/bin:\$PATH\""
  fi
  echo "What this machine can enforce, and what is missing: paddock doctor"
}

uninstall() {
  [ -e "$library" ] || stop "Paddock is not installed in $prefix." '' 1
  processes=$(running "$library")
  [ -z "$processes" ] || stop "it still runs (process IDs: ${processes% }), so it is not removed." 'paddock ps lists cells, and paddock stop ID ends one; then run this again' 1
  if [ -e "$library/shared-files" ]; then
    # Directories only if they are empty now.
    (cd "$prefix/share" && xargs rm -f <"$library/shared-files" && sed 's|/[^/]*$||' "$library/shared-files" | sort -u | xargs rmdir -p 2>/dev/null) || :
  fi
  case $(readlink "$prefix/bin/paddock") in
    ../lib/paddock/*) rm -f "$prefix/bin/paddock" ;;
  esac
  rm -rf "$library" || stop "$library cannot be removed."
  echo "Paddock is removed from $prefix. Settings and data stay: ~/.config/paddock, ~/.local/share/paddock, ~/.local/state/paddock, ~/.cache/paddock."
}

# In a function, so that nothing runs of a script whose download broke off.
main() {
  action=install
  prefix="${HOME:?}/.local"
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix | --from)
        [ -n "${2:-}" ] || stop "$1 needs a value." '' 2
        if [ "$1" = --prefix ]; then prefix=$2; else from=$2; fi
        shift 2
        ;;
      --uninstall) action=uninstall && shift ;;
      -h | --help) echo 'sh install.sh [--uninstall] [--prefix DIRECTORY] [--from DIRECTORY|URL]' && exit 0 ;;
      *) stop "unknown option $1." 'sh install.sh [--uninstall] [--prefix DIRECTORY] [--from DIRECTORY|URL]' 2 ;;
    esac
  done
  case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
  library=$prefix/lib/paddock
  $action
}

main "$@"

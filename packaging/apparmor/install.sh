#!/bin/sh
# Makes Paddock's own copies of bwrap and unshare, and loads the AppArmor profiles for them (`paddock`, beside this file). Needs root. Run it
# again after an update of bubblewrap or util-linux. Does nothing on systems whose AppArmor does not know user namespaces (before 4.0), which
# restrict none. DPKG_ROOT: another root directory (dpkg(1)); there, nothing is loaded.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=${DPKG_ROOT:-}
copies=$root/usr/lib/paddock
profiles=$root/etc/apparmor.d

[ -e "$profiles/abi/4.0" ] || exit 0
for each in bwrap unshare; do
  [ -x "$root/usr/bin/$each" ] || { echo "paddock: $root/usr/bin/$each is missing, so the AppArmor profile is not installed." >&2; exit 0; }
done

mkdir -p "$copies"
for each in bwrap unshare; do
  # Renamed, because a running program cannot be overwritten. Without set-user-ID, which some systems give to bwrap.
  install -m 0755 "$root/usr/bin/$each" "$copies/.$each.new"
  mv -f "$copies/.$each.new" "$copies/$each"
done
install -m 0644 "$here/paddock" "$profiles/.paddock.new"
mv -f "$profiles/.paddock.new" "$profiles/paddock"

# A container may have AppArmor but may not load profiles.
[ -z "$root" ] && [ "$(cat /sys/module/apparmor/parameters/enabled 2>/dev/null)" = Y ] || exit 0
apparmor_parser --replace --write-cache "$profiles/paddock" ||
  echo "paddock: the AppArmor profile was not loaded. Try again: apparmor_parser -r $profiles/paddock" >&2

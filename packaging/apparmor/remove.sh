#!/bin/sh
# Undoes install.sh: unloads and removes the AppArmor profiles, and removes the copies of bwrap and unshare. Needs root. Programs that run
# under the profiles continue without them. DPKG_ROOT: as in install.sh.
set -eu
root=${DPKG_ROOT:-}
profile=$root/etc/apparmor.d/paddock
if [ -e "$profile" ]; then
  [ -n "$root" ] || [ "$(cat /sys/module/apparmor/parameters/enabled 2>/dev/null)" != Y ] || apparmor_parser --remove "$profile" || true
  rm -f "$profile" "$root/etc/apparmor.d/disable/paddock"
fi
rm -f "$root/usr/lib/paddock/bwrap" "$root/usr/lib/paddock/unshare"
rmdir "$root/usr/lib/paddock" 2>/dev/null || true

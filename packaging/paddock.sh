#!/bin/sh
# Starts Paddock with the Node of its package.
here=$(readlink -f "$0")
here=${here%/bin/*}
[ -e /lib64/ld-linux-x86-64.so.2 ] || [ -e /lib/ld-linux-aarch64.so.1 ] || {
  echo "paddock: the Node of this package needs the C library of GNU, and this system has another one (Alpine has musl)." >&2
  echo "  hint: use the image for containers, or a system with glibc" >&2
  exit 125
}
exec "$here/node/bin/node" "$here/bin/paddock.mjs" "$@"

#!/bin/sh
# Starts Paddock with the Node of its package.
here=$(PATH=/usr/bin:/bin && readlink -f "$0")
here=${here%/bin/*}
[ -e /lib64/ld-linux-x86-64.so.2 ] || [ -e /lib/ld-linux-aarch64.so.1 ] || {
  echo "paddock: the Node of this package needs the C library of GNU, and this system has another one (Alpine has musl)." >&2
  echo "  hint: use the image for containers, or a system with glibc" >&2
  exit 125
}
# The loader would print a line for each symbol that it does not find.
case $(PATH=/usr/bin:/bin && getconf GNU_LIBC_VERSION 2>/dev/null) in
  'glibc 2.'[0-9] | 'glibc 2.1'[0-9] | 'glibc 2.2'[0-7])
    echo "paddock: the Node of this package needs a C library of GNU that is not older than 2.28, and this system's is older." >&2
    echo "  hint: use the image for containers, or a newer system" >&2
    exit 125
    ;;
esac
exec "$here/node/bin/node" "$here/bin/paddock.mjs" "$@"

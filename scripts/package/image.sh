#!/usr/bin/env bash
# Writes an image for Docker and Podman, and the seccomp profile that its cells need, next to the Debian package that it contains:
#   scripts/package/image.sh [DIRECTORY]      (by default dist/packages)
# The base is Debian, made by debootstrap. Needs root, and buildah. Equal packages give equal bytes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
directory=$(realpath "${1:-dist/packages}")
version=$(sed -n 's/^  "version": "\(.*\)",/\1/p' package.json)
package=$directory/paddock_${version}_amd64.deb
[ -e "$package" ] || { echo "image: there is no $package. Run: npm run package" >&2; exit 2; }
for each in buildah debootstrap strip; do
  command -v "$each" >/dev/null || { echo "image: $each is missing. Run: apt-get install buildah debootstrap binutils" >&2; exit 125; }
done

base=$(scripts/tree.sh make bookworm)
work=$(mktemp -d "$(dirname "$base")/image.XXXXXX")
trap 'rm -rf "$work"; [ -z "${container:-}" ] || buildah rm "$container" >/dev/null' EXIT
cp -a --reflink=auto "$base" "$work/root"
export SOURCE_DATE_EPOCH=0
# What a container does not need stays out from the beginning: documents, translations and manual pages.
printf 'path-exclude=%s\n' '/usr/share/doc/*' '/usr/share/man/*' '/usr/share/locale/*' '/usr/share/info/*' '/usr/share/lintian/*' \
  >"$work/root/etc/dpkg/dpkg.cfg.d/container"
echo 'path-include=/usr/share/doc/*/copyright' >>"$work/root/etc/dpkg/dpkg.cfg.d/container"
scripts/tree.sh enter --direct --online --bind "$package:/run/paddock.deb" "$work/root" sh -ec '
  userdel --remove user 2>/dev/null
  useradd --create-home --uid 1000 --shell /bin/bash paddock
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends /run/paddock.deb passt nftables
' >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 125; }
(
  cd "$work/root"
  find usr/share/doc -type f -not -name copyright -delete
  rm -rf usr/share/{man,locale,info}/* var/lib/apt/lists/* var/cache/{apt,debconf,ldconfig}/* var/log/* var/lib/dpkg/*-old etc/*- \
    etc/machine-id var/lib/systemd run/* tmp/* root/.cache
  rm -f etc/resolv.conf etc/hostname etc/hosts etc/apt/apt.conf.d/*proxy* var/cache/apt/*.bin
  # The day of an account's last password is the day of the build.
  sed -i 's/^\(paddock:[^:]*\):[0-9]*:/\1:0:/' etc/shadow
)
# In place, because each file of the program has two names. Without its symbols for debuggers, Node is 18 MB smaller.
node_program=$work/root/usr/lib/paddock/package/node/bin/node
strip -o "$work/node" "$node_program"
cat "$work/node" >"$node_program"
container=$(buildah from scratch)
cp -a "$work/root/." "$(buildah mount "$container")/"
buildah umount "$container" >/dev/null
buildah config --user paddock --workingdir /home/paddock --entrypoint '["paddock"]' --cmd serve \
  --label org.opencontainers.image.title=paddock --label "org.opencontainers.image.version=$version" \
  --label org.opencontainers.image.licenses=Apache-2.0 "$container"
image=$(buildah commit -q --timestamp 0 --identity-label=false "$container")
target=$directory/paddock-$version-image-amd64.tar
rm -f "$target"
buildah push -q "$image" "docker-archive:$target:paddock:$version"
buildah rmi "$image" >/dev/null
gzip -9nf "$target"
node scripts/package/container-seccomp.ts >"$directory/seccomp.json"
du -sm "$work/root" | awk '{ print "image: " $1 " MB unpacked" }'

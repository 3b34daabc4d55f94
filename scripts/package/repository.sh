#!/usr/bin/env bash
# Adds Debian packages to a signed repository, and makes it if it does not exist:
#   scripts/package/repository.sh REPOSITORY PACKAGES KEY      KEY: the fingerprint of a key that gpg can sign with
set -euo pipefail
[ "$#" = 3 ] || { sed -n '3s/^# *//p' "$0" >&2; exit 2; }
command -v reprepro >/dev/null || { echo "repository: reprepro is missing. Run: apt-get install reprepro" >&2; exit 125; }
repository=$1 packages=$2 key=$3
shopt -s nullglob
found=("$packages"/*.deb)
[ "${#found[@]}" -gt 0 ] || { echo "repository: there are no Debian packages in $packages. Run: npm run package" >&2; exit 2; }
mkdir -p "$repository/conf"
cat >"$repository/conf/distributions" <<END
Origin: Paddock
Label: Paddock
Suite: stable
Codename: stable
Architectures: amd64 arm64
Components: main
Description: Paddock
SignWith: $key
END
reprepro --silent --basedir "$repository" includedeb stable "${found[@]}"
gpg --export "$key" >"$repository/paddock.gpg"
# reprepro skips packages that lack a field, and reports success.
for each in "${found[@]}"; do
  wanted="$(dpkg-deb -f "$each" Version)|$(dpkg-deb -f "$each" Architecture)"
  reprepro --basedir "$repository" --list-format '${version}|${architecture}\n' list stable paddock | grep -qxF "$wanted" ||
    { echo "repository: $each was not added." >&2; exit 1; }
done
echo "The repository in $repository contains ${#found[@]} packages. Users add it with:"
echo "  deb [signed-by=/etc/apt/keyrings/paddock.gpg] URL stable main"

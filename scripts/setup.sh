#!/usr/bin/env bash
# Installs what a checkout needs: npm packages, and system packages through apt where that may be done. Where it may
# not, it prints the exact command and stops with 125. --real: the agents' real CLIs and GitHub's gh too. --bench: the peers too.
# --test: what only the tests need. --web: a browser. --shells: other shells, and man. --openapi: linters of OpenAPI documents.
# --package: only what makes packages. --install: what makes other Debian systems and packages.
# --toolchains: programs of others that use git, and those that test/toolchains/table runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

need=()
want() { command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ] || [ -x "/sbin/$1" ] || need+=("$2"); }
want git git
case " $* " in *" --package "*) ;; *)
  want bwrap bubblewrap
  want unshare util-linux
  want perl perl-base
  ;;
esac
# The product needs pasta and nft for --egress public alone, and age not at all; its tests need them all.
case " $* " in *" --test "*)
  want ip iproute2
  want pasta passt
  want nft nftables
  want age age
  want git-lfs git-lfs
  want tmux tmux
  # Ordinary work in a cell.
  [ -e /usr/include/stdio.h ] || need+=(libc6-dev)
  want gcc gcc
  want setfacl acl
  want strace strace
  want fakeroot fakeroot
  # Reads reports that a comparison of suites writes.
  [ -e /usr/lib/python3/dist-packages/junitparser ] || need+=(python3-junitparser)
  # Where a cell sees it.
  [ -x /usr/bin/python3 ] || need+=(python3)
  ;;
esac
case " $* " in *" --real "*)
  want gh gh
  # gitlab-ci-local copies a project with it.
  want rsync rsync
  ;;
esac
case " $* " in *" --web "*) want chromium chromium ;; esac
case " $* " in *" --shells "*)
  want zsh zsh
  want fish fish
  want man man-db
  ;;
esac
case " $* " in *" --install "*)
  want debootstrap debootstrap
  [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || need+=(debian-archive-keyring)
  want busybox busybox-static
  want lintian lintian
  want reprepro reprepro
  want gpgv gpgv
  want buildah buildah
  want dockerd docker.io
  want sshd openssh-server
  want strip binutils
  [ -e /usr/share/containers/seccomp.json ] || need+=(golang-github-containers-common)
  ;;
esac
case " $* " in *" --toolchains "*)
  want cargo cargo
  want go golang-go
  want mix elixir
  [ -e /usr/share/doc/erlang-dev ] || need+=(erlang-dev)
  want bundle bundler
  want cmake cmake
  want pre-commit pre-commit
  for each in gcc g++ clang gdb valgrind gfortran nasm bison flex m4 make meson autoconf automake ccache ant; do want "$each" "$each"; done
  for each in ghc gradle kotlin clojure scala nim crystal gdc latexmk nuget ffmpeg; do want "$each" "$each"; done
  for each in sbcl expect bats gawk dc bc parallel redis-server nginx sqlite3 entr shellcheck flake8 mypy black pylint yamllint; do want "$each" "$each"; done
  for each in cppcheck xsltproc zip unzip zstd rsync pandoc asciidoctor doxygen jq gperf composer ruby rake; do want "$each" "$each"; done
  # A virtual machine with the kernel of another release.
  want qemu-system-x86_64 qemu-system-x86
  want mke2fs e2fsprogs
  want mvn maven
  [ -e /usr/share/maven-repo/junit/junit ] || need+=(junit4)
  want cabal cabal-install
  want R r-base-core
  want ldc2 ldc
  want mcs mono-mcs
  want cobc gnucobol4
  want pdflatex texlive-latex-base
  want bibtex texlive-binaries
  [ -x /usr/bin/convert ] || need+=(imagemagick)
  want rpmbuild rpm
  want msgfmt gettext
  want ninja ninja-build
  want libtoolize libtool
  want javac default-jdk-headless
  want jshell default-jdk-headless
  want dune ocaml-dune
  want ocamlfind ocaml-findlib
  want ocamlc ocaml-nox
  want guile guile-3.0
  want lua5.4 lua5.4
  want tclsh tcl
  want swipl swi-prolog-nox
  want pytest python3-pytest
  [ -e /usr/lib/python3/dist-packages/wheel ] || need+=(python3-wheel python3-setuptools python3-venv)
  want php php-cli
  [ -e /usr/share/doc/php-mbstring ] || need+=(php-mbstring)
  [ -e /usr/share/doc/ruby-minitest ] || need+=(ruby-minitest)
  want inotifywait inotify-tools
  want xmllint libxml2-utils
  want 7z p7zip-full
  want dpkg-buildpackage dpkg-dev
  want gs ghostscript
  want pdftotext poppler-utils
  want dot graphviz
  want protoc protobuf-compiler
  want django-admin python3-django
  want rails ruby-railties
  want poetry python3-poetry
  ;;
esac
# What the peer needs to start.
case " $* " in *" --bench "*)
  want socat socat
  want rg ripgrep
  ;;
esac
if [ "${#need[@]}" -gt 0 ]; then
  install=(apt-get install -y --no-install-recommends "${need[@]}")
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "setup: installing ${need[*]}" >&2
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive "${install[@]}" -qq; } >/tmp/paddock-setup-apt.$$ 2>&1 ||
      { cat /tmp/paddock-setup-apt.$$ >&2; echo "setup: apt-get failed; install these and run again: ${need[*]}" >&2; exit 125; }
    rm -f /tmp/paddock-setup-apt.$$
  else
    echo "setup: ${need[*]} missing. Install with:" >&2
    echo "  sudo ${install[*]}" >&2
    exit 125
  fi
fi

# npm's own record of what is installed is as new as the lock file when nothing has to be done.
install_packages() {
  local directory=$1
  shift
  if [ ! -e "$directory/node_modules/.package-lock.json" ] || [ "$directory/package-lock.json" -nt "$directory/node_modules/.package-lock.json" ]; then
    echo "setup: npm packages of $directory" >&2
    (cd "$directory" && npm ci "$@" --no-audit --no-fund --loglevel=error >&2) || { echo "setup: npm ci failed in $directory" >&2; exit 125; }
    touch "$directory/node_modules/.package-lock.json"
  fi
}
install_packages .
export PATH="$PWD/node_modules/.bin:$PATH"
for each in "$@"; do
  case "$each" in
    --test) install_packages test/node20 ;;
    --openapi) install_packages test/openapi ;;
    # The SDK of claude brings a binary of 200 MB, which its test replaces.
    --real)
      install_packages test/real-clis
      install_packages test/real-clis/sdk --omit=optional --legacy-peer-deps
      ;;
    --bench) install_packages bench/peers ;;
    # Without a lock file, because one has all platforms only if it has addresses.
    --toolchains)
      for each in test/toolchains test/toolchains/programs; do
        (cd "$each" && npm install --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
      done
      ;;
  esac
done

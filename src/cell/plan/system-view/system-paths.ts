const ofTheSystem = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix/store', '/run/current-system']

/** Settings of the system itself. */
const settings = words(`
  ld.so.cache ld.so.conf ld.so.conf.d ssl/certs ssl/openssl.cnf ca-certificates ca-certificates.conf pki/tls pki/ca-trust static/ssl
  crypto-policies alternatives localtime timezone locale.alias locale.conf protocols services ethertypes netconfig rpc mime.types
  os-release lsb-release debian_version redhat-release fedora-release system-release arch-release alpine-release
  terminfo inputrc fonts papersize paperspecs libpaper.d manpath.config mailcap magic magic.mime xattr.conf mke2fs.conf
`)

/** Settings that packages bring for their programs, and that hold no credentials. */
const ofPrograms = words(`
  LatexMk OpenCL R X11 ant ant.conf asciidoc bash_completion.d ccache.conf chromium chromium.d clang common-lisp
  dblatex dictionaries-common dmd.conf dotnet dpkg egl emacs enscript.cfg erlang firefox fish fpc.cfg gdb ghc ghostscript glvnd
  gnuplot gprofng.rc groff groovy gtk-2.0 gtk-3.0 gtk-4.0 java julia lcovrc ldc2.conf libreoffice luarocks maven/m2.conf maven/logging
  maven/toolchains.xml mercurial mono nanorc nginx/fastcgi.conf nginx/fastcgi_params nginx/mime.types nginx/scgi_params nginx/uwsgi_params nim
  ocamlfind.conf ocamlfind.conf.d octave.conf odbcinst.ini openal openmpi pango perl php php.d php.ini postgresql-common/supported_versions
  postgresql-common/user_clusters povray python3 racket rpm sbclrc sgml texmf tidy.conf velocity vim vulkan xdg xml zsh
`)

/** The same for packages with a version in the name. */
const versioned = /^(?:ImageMagick-\d+|fpc-\d[\d.]*\.cfg|gnucobol\d*|java-[\d.]+-openjdk|python3\.\d+)$/

/** Data that packages make at their installation. */
const data = words(`
  aspell ca-certificates dictionaries-common dpkg emacsen-common gems ghc ghostscript ieee-data ocaml sgml-base tex-common texmf texlive vim xml-core xkb
  pacman/local rpm
`)

const caches = words('cracklib dictionaries-common fontconfig man fonts texmf')

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

/**
 * Returns the directories and files of the system that cells have, if they exist, belong to a user of the system and are readable by every
 * user; parents first. `inEtc`: the names in /etc.
 */
export function systemPaths(inEtc: readonly string[]): readonly string[] {
  const names = new Set([...settings, ...ofPrograms, ...inEtc.filter((each) => versioned.test(each))])
  return [
    ...ofTheSystem,
    ...[...names].map((each) => `/etc/${each}`),
    ...data.map((each) => `/var/lib/${each}`),
    ...caches.map((each) => `/var/cache/${each}`),
  ]
}

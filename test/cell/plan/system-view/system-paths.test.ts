import { expect, test } from 'vitest'
import { systemPaths } from '../../../../src/cell/plan/system-view/system-paths.ts'

const shown = (file: string, inEtc: readonly string[] = []): boolean =>
  systemPaths(inEtc).some((each) => file === each || file.startsWith(`${each}/`))

test.each([
  ['ldc2, a compiler of D', '/etc/ldc2.conf'],
  ['latexmk', '/etc/LatexMk'],
  ['Nim', '/etc/nim/nim.cfg'],
  ['dpkg-vendor and dpkg-buildflags', '/etc/dpkg/origins/default'],
  ['Groovy', '/etc/groovy/groovy-starter.conf'],
  ['Java', '/etc/java/security/security.d'],
  ['Racket', '/etc/racket/config.rktd'],
  ['Common Lisp', '/etc/common-lisp/source-registry.conf.d'],
  ['mke2fs', '/etc/mke2fs.conf'],
  ['Asciidoc', '/etc/asciidoc/asciidoc.conf'],
  ['types of files for nginx', '/etc/nginx/mime.types'],
  ['gems that root installed', '/var/lib/gems/3.1.0'],
  ['fonts of Ghostscript', '/var/lib/ghostscript/CMap'],
])('a cell has what a package installed for %s', (_, file) => expect(shown(file)).toBe(true))

test('the name of a setting may contain the version of its program', () => {
  const names = ['java-1.8.0-openjdk', 'java-24-openjdk', 'ImageMagick-7', 'python3.13', 'fpc-3.2.2.cfg', 'gnucobol']
  for (const each of names) expect(shown(`/etc/${each}`, names), each).toBe(true)
  for (const each of ['java-24-openjdk.secret', 'my-python3.13', 'fpc-3.2.2.cfg.bak'])
    expect(shown(`/etc/${each}`, [each]), each).toBe(false)
})

test('a cell has no settings that may hold credentials', () => {
  const names = ['mysql', 'wgetrc', 'npmrc', 'shadow', 'ssh', 'apt', 'nginx', 'environment', 'profile', 'pip.conf', 'krb5.conf']
  for (const each of [...names, 'maven/settings.xml', 'postgresql-common/pg_service.conf', 'nginx/.htpasswd', 'ssl/private'])
    expect(shown(`/etc/${each}`, names), each).toBe(false)
})

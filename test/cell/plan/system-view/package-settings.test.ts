import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { agentsOnMachine } from '../../../../src/adapters/agent-facts.ts'
import { inspectMachine } from '../../../../src/cell/plan/machine-facts.ts'
import { packageSettings } from '../../../../src/cell/plan/system-view/package-settings.ts'
import { freshDirectory } from '../../../support/fresh-directory.ts'
import { pathsBelow } from '../../../support/real-cell.ts'

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** Makes a system whose package lists these settings of dpkg, with the content of the package. */
function makeSystem(listed: Readonly<Record<string, string>>) {
  const root = freshDirectory('/tmp/paddock-system-')
  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(root + file), { recursive: true, mode: 0o755 })
    writeFileSync(root + file, text, { mode: 0o644 })
  }
  const lines = Object.entries(listed).map(([file, text]) => ` ${file} ${md5(text)}\n`)
  put('/var/lib/dpkg/status', `Package: a\nConffiles:\n${lines.join('')}Description: a\n`)
  for (const [file, text] of Object.entries(listed)) put(file, text)
  const owner = process.getuid?.() ?? 0
  return {
    root,
    put,
    cache: `${root}/cache`,
    settings: (without: readonly string[] = []) => [...packageSettings(`${root}/cache`, without, { root, owner })].sort(),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

test('settings are shown that are as their package contains them', () => {
  using system = makeSystem({ '/etc/cob/a.conf': 'a', '/etc/cob/b/c.conf': 'c', '/etc/wgetrc': 'w' })
  expect(system.settings()).toEqual(['/etc/cob', '/etc/wgetrc'])
  expect(system.settings(['/etc/cob'])).toEqual(['/etc/wgetrc'])
})

test('a file that the administrator changed or added is not shown, nor the directory around it', () => {
  using system = makeSystem({ '/etc/cob/a.conf': 'a', '/etc/cob/b.conf': 'b', '/etc/wgetrc': 'w', '/etc/vpn/v.conf': 'v' })
  system.put('/etc/cob/b.conf', 'proxy_password = x')
  system.put('/etc/vpn/mine.conf', 'key')
  expect(system.settings()).toEqual(['/etc/cob/a.conf', '/etc/vpn/v.conf', '/etc/wgetrc'])
})

test('a change after the first start is noticed, with the size and the time of the file as before', () => {
  using system = makeSystem({ '/etc/cob/a.conf': 'a', '/etc/wgetrc': 'w' })
  for (const each of ['/etc/wgetrc', '/etc/cob/a.conf']) utimesSync(system.root + each, 1, 1)
  expect(system.settings()).toEqual(['/etc/cob', '/etc/wgetrc'])
  system.put('/etc/wgetrc', 's')
  utimesSync(`${system.root}/etc/wgetrc`, 1, 1)
  expect(system.settings()).toEqual(['/etc/cob'])
  system.put('/etc/cob/new.conf', 'secret')
  expect(system.settings()).toEqual(['/etc/cob/a.conf'])
})

test('a file that others cannot read, a link in its place, and what services read are not shown', () => {
  using system = makeSystem({ '/etc/a/closed': 'a', '/etc/b/linked': 'b', '/etc/pam.d/c': 'c', '/etc/passwd': 'd', '/etc/e/../f': 'f' })
  chmodSync(`${system.root}/etc/a/closed`, 0o640)
  rmSync(`${system.root}/etc/b/linked`)
  symlinkSync(`${system.root}/etc/passwd`, `${system.root}/etc/b/linked`)
  expect(system.settings()).toEqual([])
})

test('the lists of ucf and of pacman count too', () => {
  using system = makeSystem({})
  system.put('/etc/php/mods/a.ini', 'a')
  system.put('/etc/makepkg.conf', 'm')
  system.put('/var/lib/ucf/hashfile', `${md5('a')}  /etc/php/mods/a.ini\n`)
  system.put('/var/lib/pacman/local/m-1/files', `%FILES%\netc/\netc/makepkg.conf\n\n%BACKUP%\netc/makepkg.conf\t${md5('m')}\n`)
  expect(system.settings()).toEqual(['/etc/makepkg.conf', '/etc/php'])
})

test('the list of apk counts too, with both of its hashes', () => {
  using system = makeSystem({})
  const listed = (kind: string, algorithm: string, text: string): string =>
    `Z:${kind}${createHash(algorithm).update(text).digest('base64')}`
  for (const each of ['php/a.ini', 'php/conf.d/b.ini', 'wgetrc', 'lynx.cfg']) system.put(`/etc/${each}`, each)
  system.put(
    '/lib/apk/db/installed',
    `C:Q1x=\nP:a\nV:1\nF:etc\nR:wgetrc\na:0:0:644\n${listed('Q1', 'sha1', 'wgetrc')}\nR:lynx.cfg\n${listed('Q1', 'sha1', 'other')}\nF:etc/php\n` +
      `M:0:0:755\nR:a.ini\n${listed('Q2', 'sha256', 'php/a.ini')}\nF:etc/php/conf.d\nR:b.ini\n${listed('Q1', 'sha1', 'php/conf.d/b.ini')}\n` +
      `F:opt/etc\nR:lynx.cfg\n${listed('Q1', 'sha1', 'lynx.cfg')}\n\nP:b\nF:usr/bin\nR:b\n`,
  )
  expect(system.settings()).toEqual(['/etc/php', '/etc/wgetrc'])
})

test('the database of rpm counts too', ({ skip }) => {
  skip(process.getuid?.() !== 0 || !existsSync('/usr/bin/rpmbuild'), 'needs root and rpmbuild')
  using system = makeSystem({})
  const { root } = system
  const conf = ['/etc/cob/a.conf', '/etc/cob/b.conf', '/etc/wgetrc']
  system.put(
    '/a.spec',
    `Name: a\nVersion: 1\nRelease: 1\nSummary: a\nLicense: none\n%description\n%files\n${conf.map((each) => `%config(noreplace) ${each}\n`).join('')}/etc/other\n`,
  )
  for (const each of [...conf, '/etc/other']) system.put(`/build${each}`, each)
  const at = { cwd: root, env: { PATH: '/usr/bin:/bin', HOME: root }, stdio: 'ignore' } as const
  const buildroot = ['--define', `_topdir ${root}/top`, '--define', `_rpmdir ${root}`, '--buildroot', `${root}/build`]
  execFileSync('rpmbuild', ['-bb', ...buildroot, '--noclean', 'a.spec'], at)
  execFileSync('sh', ['-c', `rpm --root ${root} --dbpath /var/lib/rpm --nodeps -i */a-1-1.*.rpm`], at)
  expect(system.settings()).toEqual(['/etc/cob', '/etc/wgetrc'])
  system.put('/etc/cob/b.conf', 'password')
  expect(system.settings()).toEqual(['/etc/cob/a.conf', '/etc/wgetrc'])
})

test('what was compared before is not taken from a file that cannot be understood, and its paths are only in /etc', () => {
  using system = makeSystem({ '/etc/wgetrc': 'w' })
  expect(system.settings()).toEqual(['/etc/wgetrc'])
  writeFileSync(`${system.cache}/package-settings.json`, '{"schemaVersion":1,"units":[{}]}')
  expect(system.settings()).toEqual(['/etc/wgetrc'])
})

test('settings of packages are part of the facts about this machine', ({ skip }) => {
  const root = freshDirectory('/tmp/paddock-facts-')
  try {
    const settings = packageSettings(`${root}/other`, [])
    skip(settings.length === 0, 'no package on this machine has unchanged settings')
    const { system } = inspectMachine({ PATH: '/usr/bin', HOME: root }, pathsBelow(root), agentsOnMachine)
    const isShown = (file: string): boolean => system.paths.some((each) => file === each.path || file.startsWith(`${each.path}/`))
    // A directory of the result can contain one that every cell has.
    expect(settings.filter((each) => !isShown(each) && !system.paths.some((other) => other.path.startsWith(`${each}/`)))).toEqual([])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleBlocks } from '../docs/console-block.ts'
import { isLab } from '../support/cli.ts'
import { freshDirectory } from '../support/fresh-directory.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8')) as { version: string }
const place = freshDirectory('/tmp/paddock-packages-')
const packages = path.join(place, 'packages')
const archive = `paddock-${version}-linux-x64.tar.gz`

interface Ended {
  readonly code: number
  readonly text: string
}

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: checkout, env: { ...process.env, ...env }, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, text: stdout + stderr }),
    )
  })
}

const shell = (script: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  run('sh', ['-c', script], { PLACE: place, ...env })

const key = path.join(place, 'key.pem')
const build = (to: string, ...more: readonly string[]): Promise<Ended> =>
  run(process.execPath, ['scripts/package/main.ts', '--no-build', '--here', '--key', key, '--to', to, ...more])

beforeAll(async () => {
  writeFileSync(key, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
  expect(await build(packages)).toMatchObject({ code: 0 })
}, 300_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

describe('the packages', () => {
  test('two builds are the same bytes', async () => {
    const again = path.join(place, 'again')
    await build(again, '--from', '')
    expect(readFileSync(path.join(again, 'SHA256SUMS'), 'utf8')).toBe(readFileSync(path.join(packages, 'SHA256SUMS'), 'utf8'))
    rmSync(again, { recursive: true })
  })

  test('the one for npm names two packages, has no pictures and no development dependencies, and is small', async () => {
    const file = path.join(packages, `paddock-${version}.tgz`)
    const { text } = await run('tar', ['-tzf', file])
    expect(text).not.toMatch(/\.png|dist\/packages|\/src\/|\/test\//)
    expect(text).toContain('package/docs/reference/contest-yaml.md')
    const manifest = JSON.parse((await run('tar', ['-xzOf', file, 'package/package.json'])).text)
    expect(Object.keys(manifest.dependencies)).toEqual(['@lydell/node-pty', 'tldts'])
    expect([manifest.devDependencies, manifest.scripts]).toEqual([undefined, undefined])
    expect((await run('tar', ['-xzOf', file, 'package/README.md'])).text).not.toContain('<picture>')
    expect(statSync(file).size).toBeLessThan(4e6)
  })

  test('the bill of materials names what the bundle contains, each with its license', () => {
    const { bomFormat, components, dependencies } = JSON.parse(readFileSync(path.join(packages, `paddock-${version}.cdx.json`), 'utf8'))
    const names: string[] = components.map((each: { name: string }) => each.name)
    expect(bomFormat).toBe('CycloneDX')
    expect(names).toEqual(
      expect.arrayContaining(['fastify', 'zod', 'react', '@azure/identity', '@xterm/xterm', '@lydell/node-pty', 'tldts', 'node']),
    )
    expect(names).not.toContain('vitest')
    for (const { licenses } of components) expect(licenses[0].license?.id ?? licenses[0].expression).toMatch(/^[\w(][\w .()+-]+$/)
    const known = new Set(components.map((each: { purl: string }) => each.purl))
    expect(dependencies[0].dependsOn.filter((each: string) => !known.has(each))).toEqual([])
  })

  test('OpenSSL verifies the signature of the checksums, and the checksums are those of all packages', async () => {
    const verify = 'openssl pkeyutl -verify -pubin -inkey "$PLACE/public.pem" -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig'
    const { code, text } = await shell(
      `openssl pkey -in "$PLACE/key.pem" -pubout -out "$PLACE/public.pem" && cd "$PLACE/packages" && ${verify} && sha256sum -c SHA256SUMS`,
    )
    expect({ code, text }).toMatchObject({ code: 0 })
    const summed = readFileSync(path.join(packages, 'SHA256SUMS'), 'utf8').match(/\S+$/gm)
    expect([...(summed ?? []), 'SHA256SUMS', 'SHA256SUMS.sig'].sort()).toEqual(readdirSync(packages).sort())
  })

  test('a wrong key, processor or option is one sentence', async () => {
    const rsa = path.join(place, 'rsa.pem')
    writeFileSync(rsa, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const main = (...args: readonly string[]): Promise<Ended> =>
      run(process.execPath, ['scripts/package/main.ts', '--no-build', '--to', path.join(place, 'none'), ...args])
    expect(await main('--key', rsa)).toEqual({
      code: 2,
      text: expect.stringMatching(/^package: --key .*: it is a key for rsa, not for Ed25519\. .*\n$/),
    })
    expect(await main('--key', path.join(place, 'absent'))).toMatchObject({
      code: 2,
      text: expect.stringMatching(/^package: --key .*ENOENT.*\n$/),
    })
    expect(await main('--processor', 'mips')).toEqual({
      code: 2,
      text: 'package: --processor mips: packages are built for x64 and arm64.\n',
    })
    expect(existsSync(path.join(place, 'none'))).toBe(false)
  })
})

test('npm run package needs no programs that build cells', async () => {
  const there = path.join(place, 'checkout')
  for (const each of ['scripts', 'node_modules', 'bin']) mkdirSync(path.join(there, each), { recursive: true })
  copyFileSync(path.join(checkout, 'scripts/setup.sh'), path.join(there, 'scripts/setup.sh'))
  for (const each of ['package-lock.json', 'node_modules/.package-lock.json']) writeFileSync(path.join(there, each), '{}')
  for (const each of ['bash', 'dirname', 'git', 'id']) symlinkSync(`/usr/bin/${each}`, path.join(there, 'bin', each))
  const manifest = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const [setup = ''] = manifest.scripts['package']?.split(' && ') ?? []
  const inThere = (script: string): Promise<Ended> => shell(`cd "$PLACE/checkout" && PATH=$PWD/bin && ${script}`)
  expect(await inThere(setup)).toEqual({ code: 0, text: '' })
  expect(await inThere('bash scripts/setup.sh')).toMatchObject({ code: 125, text: expect.stringContaining('bubblewrap') })
})

/** What the guide says, in the directory of the packages. */
test('docs/guide/install.md: its commands install, remove and check the packages', async () => {
  const { blocks, problems } = consoleBlocks(readFileSync(path.join(checkout, 'docs/guide/install.md'), 'utf8'))
  const here = blocks.filter((each) => each.runBy === 'test/install/packages.deep.test.ts')
  expect([problems, here.length]).toEqual([[], 2])
  const { directory, from } = home('guide')
  const text = readFileSync(path.join(packages, 'install.sh'), 'utf8')
  writeFileSync(path.join(from, 'paddock.pem'), /-----BEGIN PUBLIC KEY-----[^']*/.exec(text)?.[0] ?? '')
  for (const { lines } of here) {
    const { code, text } = await shell(`set -e; cd "$HOME/downloads"\n${lines.join('\n')}`, { HOME: directory })
    expect({ code, text }).toMatchObject({ code: 0 })
  }
})

/** A home in which install.sh runs, with these packages. */
function home(name: string, given: (copied: string) => void = () => undefined): { readonly directory: string; readonly from: string } {
  const directory = path.join(place, name)
  const from = path.join(directory, 'downloads')
  mkdirSync(from, { recursive: true })
  for (const each of ['install.sh', 'SHA256SUMS', 'SHA256SUMS.sig', archive]) copyFileSync(path.join(packages, each), path.join(from, each))
  given(from)
  return { directory, from }
}

const installed = (directory: string): boolean => existsSync(path.join(directory, '.local/bin/paddock'))
const left = (directory: string): string[] =>
  existsSync(path.join(directory, '.local/lib/paddock')) ? readdirSync(path.join(directory, '.local/lib/paddock')) : []

describe('install.sh', () => {
  test.each<[name: string, given: (from: string) => void, sentence: RegExp]>([
    [
      'a package whose download broke off',
      (from) => writeFileSync(path.join(from, archive), readFileSync(path.join(from, archive)).subarray(0, 1e6)),
      /is not the file that SHA256SUMS names; perhaps its download broke off\.\n {2}hint: download it again\n$/,
    ],
    [
      'a checksum that nobody signed',
      (from) =>
        writeFileSync(
          path.join(from, 'SHA256SUMS'),
          readFileSync(path.join(from, 'SHA256SUMS'), 'utf8').replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
        ),
      /the signature of SHA256SUMS in .* is wrong, so nothing is installed\./,
    ],
    [
      'the signature of another key',
      (from) => writeFileSync(path.join(from, 'SHA256SUMS.sig'), Buffer.alloc(64, 7)),
      /the signature of SHA256SUMS in .* is wrong, so nothing is installed\./,
    ],
    [
      'packages of an older version, whose signature is good',
      (from) => {
        const older = readFileSync(path.join(from, 'SHA256SUMS'), 'utf8').replaceAll(version, '0.0.1')
        writeFileSync(path.join(from, 'SHA256SUMS'), older)
        writeFileSync(path.join(from, 'SHA256SUMS.sig'), sign(null, Buffer.from(older), readFileSync(key)))
        renameSync(path.join(from, archive), path.join(from, archive.replace(version, '0.0.1')))
      },
      /SHA256SUMS in .* names no package of version .* for x64\.\n {2}hint: use the install\.sh that is next to these packages\n$/,
    ],
    [
      'no signature',
      (from) => rmSync(path.join(from, 'SHA256SUMS.sig')),
      /there is no SHA256SUMS\.sig in .*, so nobody has signed these packages\./,
    ],
    ['no packages', (from) => rmSync(path.join(from, 'SHA256SUMS')), /the packages are not next to this script/],
    ['checksums of packages that are not there', (from) => rmSync(path.join(from, archive)), /could not be fetched from/],
  ])('with %s, says it in one sentence and installs nothing', async (name, given, sentence) => {
    const { directory, from } = home(name.replaceAll(' ', '-'), given)
    const { code, text } = await run('sh', [path.join(from, 'install.sh')], { HOME: directory })
    expect(code).toBeGreaterThan(1)
    expect(text).toMatch(sentence)
    expect(text).toMatch(/^install: .*\n( {2}hint: .*\n)?$/)
    expect([installed(directory), left(directory)]).toEqual([false, []])
  })

  test.each<[name: string, mount: string, sentence: RegExp]>([
    [
      'is read-only',
      'ro',
      /^install: .*\/\.local\/lib\/paddock cannot be written\.\n {2}hint: choose another directory: --prefix DIRECTORY\n$/,
    ],
    [
      'has too little space',
      'size=80m',
      /^install: paddock-.* could not be (unpacked: .*|fetched from .*)\n( {2}hint: it needs 200 MB of free space in .*\n)?$/,
    ],
    [
      'has too little space for the unpacked program',
      'size=150m',
      /^install: paddock-.* could not be unpacked: .*\n {2}hint: it needs 200 MB of free space in .*\n$/,
    ],
    [
      'allows no programs',
      'noexec',
      /^install: its Node does not start here: .*Permission denied\n {2}hint: it needs .* without the mount option noexec\n$/,
    ],
  ])('says it in one sentence if the home %s', async (name, mount, sentence) => {
    const { directory, from } = home(name.replaceAll(' ', '-'))
    const mounted = `mkdir -p "$HOME/mounted" && mount -t tmpfs -o ${mount} tmpfs "$HOME/mounted" && HOME="$HOME/mounted" sh "${from}/install.sh"; code=$?; ls -A "$HOME/mounted/.local/lib/paddock" 2>/dev/null; exit $code`
    const { code, text } = await run('unshare', ['--mount', 'sh', '-c', mounted], { HOME: directory })
    expect(code).toBe(125)
    expect(text).toMatch(sentence)
  })

  test('installs into a home behind a link, names another Paddock that comes first, and removes all that it installed', async () => {
    const { directory, from } = home('behind')
    const link = path.join(place, 'link')
    symlinkSync(directory, link)
    mkdirSync(path.join(directory, 'other'))
    writeFileSync(path.join(directory, 'other/paddock'), '#!/bin/sh\n', { mode: 0o755 })
    const env = { HOME: link, PATH: `${path.join(directory, 'other')}:/usr/bin:/bin` }
    const { code, text } = await run('sh', [path.join(from, 'install.sh')], env)
    expect({ code, text }).toMatchObject({
      code: 0,
      text: expect.stringContaining(`On your PATH, ${directory}/other/paddock comes first. It is another installation of Paddock.`),
    })
    expect((await run(path.join(link, '.local/bin/paddock'), ['--version'], env)).text).toBe(`${version}\n`)
    expect(existsSync(path.join(directory, '.local/share/man/man1/paddock.1'))).toBe(true)
    expect(await run('sh', [path.join(from, 'install.sh'), '--uninstall'], env)).toMatchObject({ code: 0 })
    const { text: files } = await run('find', [path.join(directory, '.local'), '-not', '-type', 'd'])
    const { text: shared } = await run('find', [path.join(directory, '.local/share'), '-mindepth', '1'])
    expect([files, shared]).toEqual(['', ''])
  })

  test('what runs from a home behind a link is not removed', async () => {
    const { directory, from } = home('behind-and-running')
    const link = path.join(place, 'running-link')
    symlinkSync(directory, link)
    const installer = (...args: readonly string[]): Promise<Ended> => run('sh', [path.join(from, 'install.sh'), ...args], { HOME: link })
    expect((await installer()).code).toBe(0)
    const node = path.join(link, '.local/lib/paddock', version, 'node/bin/node')
    const child = spawn(node, ['-e', 'console.log(1); setInterval(() => 1, 1000)'])
    try {
      await once(child.stdout, 'data')
      expect(await installer('--uninstall')).toEqual({
        code: 1,
        text: `install: it still runs (process IDs: ${child.pid}), so it is not removed.\n  hint: paddock ps lists cells, and paddock stop ID ends one; then run this again\n`,
      })
      writeFileSync(path.join(link, '.local/lib/paddock', version, 'mark'), '')
      expect((await installer()).code).toBe(0)
      const replaced = left(directory).filter((each) => each.startsWith('.replaced-'))
      expect(replaced.map((each) => existsSync(path.join(directory, '.local/lib/paddock', each, 'mark')))).toEqual([true])
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    expect(await installer('--uninstall')).toMatchObject({ code: 0 })
  })

  test('neither install.sh nor the program runs what a project has first in PATH', async () => {
    const { directory, from } = home('planted')
    const planted = path.join(directory, 'project/node_modules/.bin')
    mkdirSync(planted, { recursive: true })
    for (const each of ['readlink', 'uname', 'sed', 'mktemp', 'sha256sum', 'tar', 'openssl', 'getconf'])
      writeFileSync(path.join(planted, each), `#!/bin/sh\necho ${each} >> ${directory}/ran\nexec /usr/bin/${each} "$@"\n`, { mode: 0o755 })
    const env = { HOME: directory, PATH: `${planted}:/usr/bin:/bin` }
    expect(await run('/bin/sh', [path.join(from, 'install.sh')], env)).toMatchObject({ code: 0 })
    expect((await run(path.join(directory, '.local/bin/paddock'), ['--version'], env)).text).toBe(`${version}\n`)
    expect(existsSync(path.join(directory, 'ran'))).toBe(false)
  })

  test('a directory in the place of the command is one sentence', async () => {
    const { directory, from } = home('directory')
    mkdirSync(path.join(directory, '.local/bin/paddock'), { recursive: true })
    const { code, text } = await run('sh', [path.join(from, 'install.sh')], { HOME: directory })
    expect({ code, text }).toEqual({
      code: 125,
      text: expect.stringMatching(/^(mv: .*\n)?install: .*\/bin\/paddock cannot be written\.\n$/),
    })
    expect(readdirSync(path.join(directory, '.local/bin/paddock'))).toEqual([])
  })

  test('two installations at once both end well', async () => {
    const { directory, from } = home('twice')
    const both = await Promise.all([1, 2].map(() => run('sh', [path.join(from, 'install.sh')], { HOME: directory })))
    expect(both.map((each) => each.code)).toEqual([0, 0])
    expect((await run(path.join(directory, '.local/bin/paddock'), ['--version'])).text).toBe(`${version}\n`)
    expect(left(directory).sort()).toEqual([version, 'shared-files'])
    expect(existsSync(path.join(directory, '.local/lib/paddock', version, 'program'))).toBe(false)
  })

  test('an unknown option, and a removal of nothing, are one sentence', async () => {
    const { directory, from } = home('options')
    expect(await run('sh', [path.join(from, 'install.sh'), '--perfix', '/x'], { HOME: directory })).toEqual({
      code: 2,
      text: 'install: unknown option --perfix.\n  hint: sh install.sh [--uninstall] [--prefix DIRECTORY] [--from DIRECTORY|URL]\n',
    })
    expect(await run('sh', [path.join(from, 'install.sh'), '--uninstall'], { HOME: directory })).toEqual({
      code: 1,
      text: `install: Paddock is not installed in ${directory}/.local.\n`,
    })
  })

  test('a system with another C library is one sentence, from install.sh and from the program', async () => {
    const root = path.join(place, 'musl')
    mkdirSync(path.join(root, 'bin'), { recursive: true })
    for (const each of ['busybox', 'sh', 'uname', 'dirname', 'readlink']) copyFileSync('/bin/busybox', path.join(root, 'bin', each))
    copyFileSync(path.join(packages, 'install.sh'), path.join(root, 'install.sh'))
    copyFileSync(path.join(checkout, 'packaging/paddock.sh'), path.join(root, 'bin/paddock'))
    const sentence =
      /^(install|paddock): the Node of (this package|these packages) needs the C library of GNU, and this system has another one \(Alpine has musl\)\.\n {2}hint: use the image for containers, or a system with glibc\.?\n$/
    for (const each of ['/install.sh', '/bin/paddock']) {
      const { code, text } = await run('chroot', [root, '/bin/sh', each], { HOME: '/' })
      expect({ code, text }).toEqual({ code: 125, text: expect.stringMatching(sentence) })
    }
  })
})

test.each([
  ['2.27', 125],
  ['2.9', 125],
  ['2.28', 126],
  ['2.41', 126],
])('with a C library of GNU of version %s, the program exits with %i', async (glibc, code) => {
  const root = path.join(place, `glibc-${glibc}`)
  for (const each of ['bin', 'dev', 'lib64', 'node/bin']) mkdirSync(path.join(root, each), { recursive: true })
  for (const each of ['busybox', 'sh', 'readlink']) copyFileSync('/bin/busybox', path.join(root, 'bin', each))
  writeFileSync(path.join(root, 'bin/getconf'), `#!/bin/sh\necho glibc ${glibc}\n`, { mode: 0o755 })
  // The last one is a Node that cannot be run.
  for (const each of ['dev/null', 'lib64/ld-linux-x86-64.so.2', 'node/bin/node']) writeFileSync(path.join(root, each), '')
  copyFileSync(path.join(checkout, 'packaging/paddock.sh'), path.join(root, 'bin/paddock'))
  const ended = await run('chroot', [root, '/bin/sh', '/bin/paddock'], { HOME: '/' })
  expect(ended.code).toBe(code)
  if (code === 125)
    expect(ended.text).toBe(
      "paddock: the Node of this package needs a C library of GNU that is not older than 2.28, and this system's is older.\n" +
        '  hint: use the image for containers, or a newer system\n',
    )
})

test('the Debian packages are in a signed repository, and one that lacks a field is not left out in silence', async () => {
  const [repository, gpg] = [path.join(place, 'apt'), path.join(place, 'gpg')]
  mkdirSync(gpg, { mode: 0o700 })
  const env = { GNUPGHOME: gpg, REPOSITORY: repository }
  const made = await shell(
    'gpg --batch --quiet --passphrase "" --quick-generate-key "Test <test@example.invalid>" ed25519 sign never && gpg --list-keys --with-colons',
    env,
  )
  const [, fingerprint = ''] = /^fpr:+([0-9A-F]+):/m.exec(made.text) ?? []
  const add = (packages: string): Promise<Ended> => run('bash', ['scripts/package/repository.sh', repository, packages, fingerprint], env)
  expect(await add(packages)).toMatchObject({ code: 0, text: expect.stringContaining('contains 1 packages') })
  const checked = await shell(
    'gpgv --keyring "$REPOSITORY/paddock.gpg" "$REPOSITORY/dists/stable/InRelease" && cat "$REPOSITORY/dists/stable/main/binary-amd64/Packages"',
    env,
  )
  expect(checked).toMatchObject({ code: 0, text: expect.stringContaining(`Version: ${version}`) })
  const changed =
    'mkdir -p "$PLACE/changed/x/DEBIAN" && printf "Package: paddock\nVersion: 9\nArchitecture: amd64\nMaintainer: x\nDescription: x\n" > "$PLACE/changed/x/DEBIAN/control" && dpkg-deb --build "$PLACE/changed/x" "$PLACE/changed/paddock_9.deb"'
  expect(await shell(changed)).toMatchObject({ code: 0 })
  expect((await add(path.join(place, 'changed'))).code).not.toBe(0)
  expect(await add(path.join(place, 'none'))).toEqual({
    code: 2,
    text: expect.stringMatching(/^repository: there are no Debian packages in .*\n$/),
  })
  await shell('gpgconf --kill all', env)
})

test('on a fresh Debian, the Debian package installs, runs a cell, is upgraded while a cell runs, and is removed', async () => {
  const { code, text } = await run('bash', [
    'scripts/fresh.sh',
    '--packages',
    packages,
    '--verify',
    'home-absent projects-apart',
    'bookworm-deb',
  ])
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('upgraded while a cell ran, and removed') })
  expect(text.match(/first cell in/g)).toHaveLength(2)
}, 600_000)

test('in Docker, the image runs cells as a user with the profile next to it, and says what is missing as root and without it', async ({
  skip,
}) => {
  skip(!isLab, 'the lab runs it, because it takes minutes')
  const { code, text } = await run('bash', ['scripts/fresh.sh', '--packages', packages, '--verify', 'home-absent', 'bookworm-container'])
  expect({ code, text }).toMatchObject({
    code: 0,
    text: expect.stringContaining('a system call filter (seccomp) of the container around Paddock forbids namespaces'),
  })
  const [, size = ''] = /(\d+)MB in Docker/.exec(text) ?? []
  expect(Number(size)).toBeLessThan(300)
}, 600_000)

import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDirectory } from '../support/fresh-directory.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))
const place = freshDirectory('/tmp/paddock-packages-')
const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { cwd: checkout, encoding: 'utf8', maxBuffer: 1e8 })

beforeAll(() => void run(process.execPath, ['scripts/package/main.ts', '--no-build', '--to', place]), 1_800_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

test('there are packages for both processors, and none is larger than it may be', () => {
  const sizes = Object.fromEntries(
    readdirSync(place).map((each) => [each.replace(/\d+\.\d+\.\d+/, 'VERSION'), statSync(path.join(place, each)).size]),
  )
  for (const each of ['linux-x64.tar.xz', 'linux-arm64.tar.xz']) expect(sizes[`paddock-VERSION-${each}`]).toBeLessThan(35e6)
  for (const each of ['amd64', 'arm64']) expect(sizes[`paddock_VERSION_${each}.deb`]).toBeLessThan(35e6)
  expect(Object.keys(sizes)).toEqual(
    expect.arrayContaining(['paddock-VERSION.tgz', 'paddock-VERSION.cdx.json', 'install.sh', 'SHA256SUMS']),
  )
})

test('lintian finds no error in the Debian packages', () => {
  const packages = readdirSync(place).filter((each) => each.endsWith('.deb'))
  expect(run('lintian', ['--fail-on', 'error', '--allow-root', ...packages.map((each) => path.join(place, each))])).not.toContain('E: ')
}, 300_000)

test.each(['bookworm', 'trixie'])(
  'on a fresh %s, each package keeps every guarantee, is upgraded while a cell runs, and is removed',
  (suite) => {
    const printed = run('bash', [
      'scripts/fresh.sh',
      '--packages',
      place,
      '--verify',
      'all',
      ...['deb', 'archive', 'npm'].map((each) => `${suite}-${each}`),
    ])
    expect(printed.match(/: verified in/g)).toHaveLength(6)
    process.stdout.write(printed)
  },
  1_800_000,
)

test('the image keeps every guarantee in Docker, and two builds are the same bytes', () => {
  const build = (): string => {
    run('bash', ['scripts/package/image.sh', place])
    const [name = ''] = readdirSync(place).filter((each) => each.includes('image'))
    return run('sha256sum', [path.join(place, name)])
  }
  expect(build()).toBe(build())
  expect(run('bash', ['scripts/fresh.sh', '--packages', place, '--verify', 'all', 'bookworm-container'])).toContain('user: verified in')
}, 1_800_000)

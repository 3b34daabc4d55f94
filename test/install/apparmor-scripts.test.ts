import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { temporary } from '../support/temporary.ts'

const packaging = fileURLToPath(new URL('../../packaging/apparmor', import.meta.url))

/** Makes a root directory with these programs, and with a directory of AppArmor that has these versions of its language. */
async function system(programs: readonly string[], abis: readonly string[]): Promise<Awaited<ReturnType<typeof temporary>>> {
  const root = await temporary()
  for (const each of ['usr/bin', 'etc/apparmor.d/abi']) mkdirSync(root.at(each), { recursive: true })
  for (const each of programs) writeFileSync(root.at('usr/bin', each), `of ${each}`, { mode: 0o4755 })
  for (const each of abis) writeFileSync(root.at('etc/apparmor.d/abi', each), '')
  return root
}
const call = (script: string, root: { readonly path: string }): string =>
  execFileSync(path.join(packaging, script), { env: { PATH: process.env['PATH'], DPKG_ROOT: root.path }, encoding: 'utf8', stdio: 'pipe' })
const copiesIn = (root: { at(name: string): string }): string[] =>
  existsSync(root.at('usr/lib/paddock')) ? readdirSync(root.at('usr/lib/paddock')) : []

it('install.sh makes the copies and installs the profile, and does so again after an update', async () => {
  await using root = await system(['bwrap', 'unshare'], ['3.0', '4.0'])
  call('install.sh', root)
  expect(copiesIn(root)).toEqual(['bwrap', 'unshare'])
  expect((statSync(root.at('usr/lib/paddock/bwrap')).mode & 0o7777).toString(8)).toBe('755')
  expect(readFileSync(root.at('etc/apparmor.d/paddock'), 'utf8')).toBe(readFileSync(path.join(packaging, 'paddock'), 'utf8'))
  writeFileSync(root.at('usr/bin/bwrap'), 'newer')
  writeFileSync(root.at('etc/apparmor.d/paddock'), 'older')
  call('install.sh', root)
  expect(readFileSync(root.at('usr/lib/paddock/bwrap'), 'utf8')).toBe('newer')
  expect(readFileSync(root.at('etc/apparmor.d/paddock'), 'utf8')).toContain('profile paddock-cell')
  expect(readdirSync(root.at('etc/apparmor.d'))).toEqual(['abi', 'paddock'])
})

it('install.sh changes nothing if AppArmor is too old for the profile, or a program is missing', async () => {
  for (const [programs, abis] of [
    [['bwrap', 'unshare'], ['3.0']],
    [['unshare'], ['4.0']],
  ] as const) {
    await using root = await system(programs, abis)
    call('install.sh', root)
    expect([copiesIn(root), readdirSync(root.at('etc/apparmor.d'))]).toEqual([[], ['abi']])
  }
})

it('remove.sh removes the copies and the profile, leaves other files, and can run twice', async () => {
  await using root = await system(['bwrap', 'unshare'], ['4.0'])
  call('install.sh', root)
  writeFileSync(root.at('usr/lib/paddock/other'), '')
  call('remove.sh', root)
  expect([copiesIn(root), readdirSync(root.at('etc/apparmor.d'))]).toEqual([['other'], ['abi']])
  call('remove.sh', root)
})

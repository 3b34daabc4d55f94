import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { resolvePaths } from '../../src/base/paths.ts'
import { refuseUnmakeable } from '../../src/cli/own-directories.ts'

test.each([
  ['PADDOCK_HOME', { PADDOCK_HOME: '/proc/nope/deeper' }, '/proc/nope/deeper/config'],
  ['XDG_STATE_HOME', { XDG_STATE_HOME: '/proc/sys/nope' }, '/proc/sys/nope/paddock'],
  ['HOME', { HOME: '/proc/nope' }, '/proc/nope/.config/paddock'],
])('7: a directory that can never be made is one sentence, not an endless loop: %s', (_, env, directory) => {
  const main = path.resolve('dist/main.js')
  const ran = spawnSync(process.execPath, [main, 'run', '--', 'true'], {
    env: { PATH: process.env['PATH'], HOME: '/tmp', ...env },
    timeout: 20_000,
    encoding: 'utf8',
  })
  expect([ran.status, ran.stderr]).toEqual([
    125,
    `paddock: FILES_FAILED: ${directory} cannot be made: there can be no directories in ${directory.startsWith('/proc/sys') ? '/proc/sys' : '/proc'}.\n` +
      "  hint: Choose another directory for Paddock's files: export PADDOCK_HOME=DIRECTORY\n",
  ])
})

test('7: a look at where directories can be made leaves nothing', () => {
  const root = mkdtempSync('/tmp/paddock-own-')
  try {
    refuseUnmakeable(resolvePaths({ HOME: root, PADDOCK_HOME: path.join(root, 'a/b') }))
    expect(existsSync(path.join(root, 'a'))).toBe(false)
    mkdirSync(path.join(root, 'a/b/config'), { recursive: true })
    refuseUnmakeable(resolvePaths({ HOME: root, PADDOCK_HOME: path.join(root, 'a/b') }))
    expect(existsSync(path.join(root, 'a/b/state'))).toBe(false)
  } finally {
    rmSync(root, { recursive: true })
  }
})

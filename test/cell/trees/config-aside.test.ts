import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { moveConfigAside, moveConfigBack } from '../../../src/cell/trees/config-aside.ts'
import { configFileOf, isConfigAside } from '../../../src/git/config-put-aside.ts'

let root: string
let git: string
let config: string
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'paddock-aside-'))
  execFileSync('git', ['init', '-q', root])
  git = path.join(root, '.git')
  config = path.join(git, 'config')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const setting = (...words: readonly string[]): string => execFileSync('git', ['-C', root, 'config', ...words], { encoding: 'utf8' }).trim()

test('git reads and writes a config that is aside, and it comes back with what git wrote', () => {
  const before = readFileSync(config, 'utf8')
  expect(moveConfigAside(git)).toBe(true)
  expect(moveConfigAside(git)).toBe(true)
  expect([isConfigAside(config), configFileOf(git)]).toEqual([true, path.join(git, 'paddock/config')])
  setting('user.name', 'me')
  expect(isConfigAside(config)).toBe(true)
  moveConfigBack(git)
  moveConfigBack(git)
  expect(lstatSync(config).isFile()).toBe(true)
  expect(readFileSync(config, 'utf8')).toBe(`${before}[user]\n\tname = me\n`)
  expect([configFileOf(git), lstatSync(config).nlink, existsSync(path.join(git, 'paddock'))]).toEqual([config, 1, false])
})

test('what an earlier cell left is replaced: the directory, and its own lock', () => {
  mkdirSync(path.join(git, 'paddock'))
  writeFileSync(path.join(git, 'paddock/config'), 'old')
  symlinkSync('paddock/config', `${config}.lock`)
  expect(moveConfigAside(git)).toBe(true)
  expect(setting('core.bare')).toBe('false')
})

test.each([
  ['the lock of another git', () => writeFileSync(`${config}.lock`, '')],
  ['another lock that is a link', () => symlinkSync('elsewhere', `${config}.lock`)],
  ['a directory with something else', () => mkdirSync(path.join(git, 'paddock/other'), { recursive: true })],
  ['a file', () => writeFileSync(path.join(git, 'paddock'), '')],
  [
    'a link to another directory',
    () => {
      mkdirSync(path.join(root, 'elsewhere'))
      writeFileSync(path.join(root, 'elsewhere/config'), 'of others')
      symlinkSync('../elsewhere', path.join(git, 'paddock'))
    },
  ],
  [
    'a config that is a link',
    () => {
      rmSync(config)
      symlinkSync('../elsewhere/config', config)
    },
  ],
])('nothing is changed if there is %s', (_, make) => {
  make()
  const all = (): readonly string[] => readdirSync(root, { recursive: true }).map(String).toSorted()
  const before = all()
  expect(moveConfigAside(git)).toBe(false)
  expect(all()).toEqual(before)
})

test('a config stays aside while git on the host writes it, and a lock that a cell left is removed', () => {
  moveConfigAside(git)
  writeFileSync(path.join(git, 'paddock/config.lock'), '')
  writeFileSync(`${config}.lock`, '')
  moveConfigBack(git)
  expect(isConfigAside(config)).toBe(true)
  rmSync(path.join(git, 'paddock/config.lock'))
  moveConfigBack(git)
  expect([isConfigAside(config), existsSync(`${config}.lock`)]).toEqual([false, false])
})

test('a lock that is a directory is renamed, whatever is in it', () => {
  moveConfigAside(git)
  mkdirSync(`${config}.lock/deep`, { recursive: true })
  moveConfigBack(git)
  expect(lstatSync(config).isFile()).toBe(true)
  expect(setting('core.bare')).toBe('false')
  setting('user.name', 'me')
})

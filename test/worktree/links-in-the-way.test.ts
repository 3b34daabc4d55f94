import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runLaterRules } from '../../src/cell/plan/protected/run-later.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import { type OpenedWorktree, openWorktree } from '../../src/worktree/open-worktree.ts'
import { pathsBelow } from '../support/real-cell.ts'

let root: string
let project: string
beforeEach(() => {
  root = mkdtempSync('/tmp/paddock-links-')
  project = path.join(root, 'project')
  for (const each of ['home', 'project', 'target']) mkdirSync(path.join(root, each))
  writeFileSync(path.join(root, 'target/rc'), '')
  for (const words of [
    ['init', '-q', '-b', 'main'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'one'],
  ])
    execFileSync('git', words, { cwd: project })
})
afterEach(() => removeTree(root))

function open(name: string): Promise<OpenedWorktree> {
  const env = { PATH: '/usr/bin:/bin', HOME: path.join(root, 'home') }
  const host = { paths: pathsBelow(root), env, runLater: runLaterRules([]), note: () => undefined }
  return openWorktree({ project, name, within: null, copy: [] }, host)
}

function link(at: string, to: string): void {
  const file = path.join(project, '.git', at)
  rmSync(file, { recursive: true, force: true })
  mkdirSync(path.dirname(file), { recursive: true })
  symlinkSync(path.join(root, to), file)
}

test.each([
  ['logs', 'target'],
  ['logs/refs/heads/fix', 'target'],
  ['logs/refs/heads/fix/login', 'target/rc'],
  ['refs/heads/fix', 'target'],
  ['worktrees', 'target'],
  ['worktrees/fix+login', 'target'],
])('no work tree is made while .git/%s is a symbolic link', async (at, to) => {
  link(at, to)
  await expect(open('fix/login')).rejects.toMatchObject({ code: 'NOT_ALLOWED', message: expect.stringContaining('symbolic link') })
  expect([readdirSync(path.join(root, 'target')), readFileSync(path.join(root, 'target/rc'), 'utf8')]).toEqual([['rc'], ''])
})

test('git creates no log for a new work tree', async () => {
  const { record } = await open('fix')
  expect(existsSync(record.directory)).toBe(true)
  expect(existsSync(path.join(project, '.git/logs/refs/heads/fix'))).toBe(false)
  expect(existsSync(path.join(project, '.git/worktrees/fix/logs/HEAD'))).toBe(false)
})

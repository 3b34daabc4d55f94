import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rulesOfHost } from '../../src/adapters/agent-facts.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import { type MergedWorktree, mergeWorktree } from '../../src/worktree/merge.ts'
import { openWorktree } from '../../src/worktree/open-worktree.ts'
import { worktreeState } from '../../src/worktree/state.ts'
import type { WorktreeHost } from '../../src/worktree/worktree-host.ts'
import type { WorktreeRecord } from '../../src/worktree/worktree-record.ts'
import { pathsBelow } from '../support/real-cell.ts'

let root: string
let project: string
let host: WorktreeHost
let record: WorktreeRecord

const me = ['-c', 'user.name=a', '-c', 'user.email=a@b']
const git = (where: string, ...words: string[]): string => execFileSync('git', [...me, ...words], { cwd: where, encoding: 'utf8' }).trim()
function commit(where: string, file: string, text: string): string {
  writeFileSync(path.join(where, file), text)
  git(where, 'add', '-f', file)
  git(where, 'commit', '-q', '-m', file)
  return git(where, 'rev-parse', 'HEAD')
}

beforeEach(async () => {
  root = mkdtempSync('/tmp/paddock-merge-')
  project = path.join(root, 'project')
  for (const each of ['home', 'project', 'target']) mkdirSync(path.join(root, each))
  writeFileSync(path.join(root, 'home/.gitconfig'), '[user]\n\tname = me\n\temail = me@home\n')
  git(project, 'init', '-q', '-b', 'main')
  commit(project, 'a.txt', 'one\n')
  const env = { PATH: '/usr/bin:/bin', HOME: path.join(root, 'home') }
  host = { paths: pathsBelow(root), env, runLater: rulesOfHost, note: () => undefined }
  record = (await openWorktree({ project, name: 'fix', within: null, copy: [] }, host)).record
})
afterEach(() => removeTree(root))

const merge = (runLater = false): Promise<MergedWorktree> => mergeWorktree(record, { runLater }, host)

test('a branch that is ahead is a fast-forward, and another one a merge commit of the user', async () => {
  const tip = commit(record.directory, 'b.txt', 'two\n')
  expect(await merge()).toMatchObject({ into: 'main', commit: tip, commits: 1, files: ['b.txt'], uncommitted: [] })
  commit(project, 'c.txt', 'three\n')
  commit(record.directory, 'd.txt', 'four\n')
  writeFileSync(path.join(record.directory, 'e.txt'), 'five\n')
  expect(await merge()).toMatchObject({ commits: 1, files: ['d.txt'], uncommitted: ['e.txt'] })
  expect(git(project, 'log', '-1', '--format=%an %s')).toBe("me Merge branch 'fix'")
  expect([readFileSync(path.join(project, 'd.txt'), 'utf8'), git(project, 'status', '--porcelain')]).toEqual(['four\n', ''])
  await expect(merge()).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('no commit to merge') })
})

test.each([
  ['a replacement', (mine: string, tip: string) => git(project, 'replace', '--graft', tip, mine)],
  [
    'a graft',
    (mine: string, tip: string) => {
      mkdirSync(path.join(project, '.git/info'), { recursive: true })
      writeFileSync(path.join(project, '.git/info/grafts'), `${tip} ${mine}\n`)
    },
  ],
])('%s does not make a merge drop the commits of the project', async (_, forge) => {
  const tip = commit(record.directory, 'b.txt', 'two\n')
  const mine = commit(project, 'c.txt', 'three\n')
  forge(mine, tip)
  const { commit: merged } = await merge()
  const { GIT_GRAFT_FILE: _file, ...env } = process.env
  const parents = execFileSync('git', ['cat-file', '-p', merged], {
    cwd: project,
    encoding: 'utf8',
    env: { ...env, GIT_NO_REPLACE_OBJECTS: '1' },
  })
  expect(parents).toContain(`parent ${mine}\nparent ${tip}\n`)
  expect([existsSync(path.join(project, 'b.txt')), existsSync(path.join(project, 'c.txt'))]).toEqual([true, true])
})

test.each(['refs/heads/main', 'logs/HEAD', 'logs/refs/heads/main', 'ORIG_HEAD', 'index'])(
  'nothing is merged while .git/%s is a symbolic link',
  async (at) => {
    commit(record.directory, 'b.txt', 'two\n')
    const file = path.join(project, '.git', at)
    const content = existsSync(file) ? readFileSync(file) : ''
    rmSync(file, { force: true })
    writeFileSync(path.join(root, 'target/rc'), content)
    symlinkSync(path.join(root, 'target/rc'), file)
    await expect(merge()).rejects.toMatchObject({ code: 'NOT_ALLOWED', message: expect.stringContaining('symbolic link') })
    expect(readFileSync(path.join(root, 'target/rc'))).toEqual(Buffer.from(content))
  },
)

test.each([
  ['.vscode/tasks.json', '{}'],
  ['.envrc', '{}'],
  ['sub/Makefile', '{}'],
  ['.githooks/pre-commit', '{}'],
  ['docs', null],
])('%s would run later, and is refused even if only the commit has it', async (file, text) => {
  git(project, 'config', 'core.hooksPath', '.githooks')
  const at = path.join(record.directory, file)
  mkdirSync(path.dirname(at), { recursive: true })
  if (text === null) symlinkSync('.git/hooks', at)
  else writeFileSync(at, text)
  git(record.directory, 'add', '-f', file)
  git(record.directory, 'commit', '-q', '-m', file)
  rmSync(at)
  await expect(merge()).rejects.toMatchObject({ code: 'NOT_ALLOWED', message: expect.stringContaining(file) })
  expect(existsSync(path.join(project, file))).toBe(false)
  if (text !== null) expect((await worktreeState(record, host)).runsLater).toMatchObject([{ path: file }])
  expect(await merge(true)).toMatchObject({ files: [file] })
})

test.each([
  ['another branch', ['switch', '-q', '-c', 'other'], 'is on branch other'],
  ['no branch', ['switch', '-q', '--detach'], 'is on no branch'],
])('a work tree with %s is not merged', async (_, words, message) => {
  commit(record.directory, 'b.txt', 'two\n')
  git(record.directory, ...words)
  await expect(merge()).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining(message) })
})

test('a project without a branch is not changed', async () => {
  commit(record.directory, 'b.txt', 'two\n')
  git(project, 'switch', '-q', '--detach')
  await expect(merge()).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('is not on a branch') })
})

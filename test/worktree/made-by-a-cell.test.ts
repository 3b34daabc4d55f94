import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runLaterRules } from '../../src/cell/plan/protected/run-later.ts'
import { type CellRecord, openRegistry } from '../../src/cell/run/cell-registry.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import { copyFiles } from '../../src/worktree/copy-files.ts'
import { openWorktree } from '../../src/worktree/open-worktree.ts'
import { removeWorktree } from '../../src/worktree/remove.ts'
import { pathsBelow } from '../support/real-cell.ts'

let root: string
let project: string
beforeEach(() => {
  root = mkdtempSync('/tmp/paddock-made-')
  project = path.join(root, 'above/project')
  for (const each of ['home', 'above/project']) mkdirSync(path.join(root, each), { recursive: true })
  writeFileSync(path.join(project, 'a.txt'), 'one\n')
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'one')
})
afterEach(() => removeTree(root))

const git = (...words: string[]): string => String(execFileSync('git', words, { cwd: project })).trim()
const host = () => ({
  paths: pathsBelow(root),
  env: { PATH: '/usr/bin:/bin', HOME: path.join(root, 'home') },
  runLater: runLaterRules([]),
  note: () => undefined,
})
const open = () => openWorktree({ project, name: 'fix', within: null, copy: [] }, host())

/** Records a cell that runs in a directory. `known`: the configurations of git that were there when it started. */
function cellIn(tree: string, known: readonly string[]): void {
  const record = {
    id: 'ab',
    trees: [tree],
    gitConfigs: known.map((each) => [each, null] as const),
    host: null,
  } satisfies Partial<CellRecord>
  openRegistry(path.join(pathsBelow(root).state, 'cells')).write('ab', record)
}

test('git does not run in a repository that a running cell made', async () => {
  const { record } = await open()
  cellIn(path.join(root, 'above'), [])
  await expect(openWorktree({ project, name: 'other', within: null, copy: [] }, host())).rejects.toMatchObject({ code: 'BUSY' })
  await expect(removeWorktree(record, { force: true, keepBranch: false }, host())).rejects.toMatchObject({ code: 'BUSY' })
  expect(existsSync(record.directory)).toBe(true)
})

test.each(['above', 'above/project', 'elsewhere'])('git runs while a cell in %s cannot write its configuration', async (tree) => {
  cellIn(path.join(root, tree), tree === 'elsewhere' ? [] : [path.join(project, '.git/config')])
  expect((await open()).isNew).toBe(true)
})

test('git fetches no object that a cell removed, and so runs no program that a remote names', async () => {
  const blob = git('rev-parse', 'HEAD:a.txt')
  rmSync(path.join(project, '.git/objects', blob.slice(0, 2), blob.slice(2)))
  writeFileSync(path.join(root, 'run.sh'), `touch ${root}/it-ran\n`)
  for (const [key, value] of [
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.url', `ext::sh ${root}/run.sh`],
    ['protocol.ext.allow', 'always'],
  ] as const)
    git('config', key, value)
  await expect(open()).rejects.toMatchObject({ code: 'FILES_FAILED' })
  expect(existsSync(path.join(root, 'it-ran'))).toBe(false)
})

test('a file that a cell replaces by a link meanwhile is not followed', async () => {
  const [secret, target] = [path.join(root, 'secret'), path.join(root, 'target')]
  mkdirSync(target)
  writeFileSync(secret, 'of the user')
  const swap = `for (;;) { symlinkSync(${JSON.stringify(secret)}, 'l'); renameSync('l', '.env'); writeFileSync('f', ''); renameSync('f', '.env') }`
  const fs = 'const { renameSync, symlinkSync, writeFileSync } = require("node:fs");'
  const swapper = spawn(process.execPath, ['-e', fs + swap], { cwd: project, stdio: 'ignore' })
  try {
    for (let copied = 0; copied < 300; ) {
      if (copyFiles(['.env'], project, target).length > 0) continue
      expect(readFileSync(path.join(target, '.env'), 'utf8')).toBe('')
      rmSync(path.join(target, '.env'))
      copied++
    }
  } finally {
    const gone = once(swapper, 'exit')
    swapper.kill('SIGKILL')
    await gone
  }
})

test('files are copied with their modes, also below directories, and nothing through a link in the work tree', () => {
  const [target, outside] = [path.join(root, 'target'), path.join(root, 'outside')]
  for (const each of ['target', 'outside', 'above/project/conf/deep', 'above/project/led'])
    mkdirSync(path.join(root, each), { recursive: true })
  writeFileSync(path.join(project, 'conf/deep/run'), 'x'.repeat(3_000_000), { mode: 0o755 })
  writeFileSync(path.join(project, 'led/file'), '')
  symlinkSync(outside, path.join(target, 'led'))
  expect(copyFiles(['conf/deep/run', 'conf', 'gone', 'led/file'], project, target)).toEqual(['conf', 'gone', 'led/file'])
  expect(readFileSync(path.join(target, 'conf/deep/run'), 'utf8')).toBe('x'.repeat(3_000_000))
  expect(existsSync(path.join(outside, 'file'))).toBe(false)
})

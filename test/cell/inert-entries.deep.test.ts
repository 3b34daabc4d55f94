import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Cell, StartCell } from '../../src/cell/cell.ts'
import type { CellReport } from '../../src/cell/report.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import { pathsBelow, plainSpec, realCells } from '../support/real-cell.ts'

let root: string
let project: string
let start: StartCell
beforeEach(() => {
  root = mkdtempSync('/tmp/paddock-inert-')
  project = path.join(root, 'project')
  for (const each of ['home', 'project']) mkdirSync(path.join(root, each))
  execFileSync('git', ['init', '-q', project])
  writeFileSync(path.join(project, 'README'), 'a project\n')
  start = realCells(pathsBelow(root))
})
afterEach(() => removeTree(root))

/** Starts a cell that reports when it runs, and waits for a line. */
async function waiting(script: string, from: StartCell = start): Promise<Cell> {
  const cell = await from(plainSpec(project, ['sh', '-c', `echo ready; ${script}`], { strictNames: true }), { stdin: 'pipe' })
  cell.stderr.resume()
  await new Promise((resolve) => cell.stdout.once('data', resolve))
  return cell
}

const git = (...words: string[]): Buffer =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: project, stdio: 'pipe' })

const aside = (report: CellReport): readonly string[] => (report.changes?.quarantined ?? []).map((each) => each.path).sort()

describe('A5: two Paddocks with states of their own in one project', () => {
  test('A5: the second does not start, and says which entry is in its way', async () => {
    const one = await waiting('read -r _')
    const other = realCells({ ...pathsBelow(root), state: `${root}/other-state` })
    await expect(waiting('true', other)).rejects.toMatchObject({
      code: 'UNENFORCEABLE',
      message: expect.stringMatching(/project\/[^ ]+ belongs to a cell of another Paddock/),
      hint: expect.stringMatching(/rm -d '.*\.envrc'/),
    })
    one.stdin?.end('go\n')
    expect(aside(await one.done)).toEqual([])
    const next = await waiting('true', other)
    expect((await next.done).ending).toEqual({ kind: 'exited', code: 0 })
    expect(readdirSync(project)).toEqual(['.git', 'README'])
  })

  test('A5: leftovers of a killed one are removed by the command of the hint', async () => {
    const one = await waiting('read -r _')
    const left = path.join(root, 'left')
    execFileSync('cp', ['-a', project, left])
    one.stdin?.end('go\n')
    await one.done
    const inLeft = (): Promise<Cell> => start(plainSpec(left, ['true']), { stdin: 'none' })
    const error = await inLeft().catch((thrown: unknown) => thrown as { hint: string })
    execFileSync('sh', ['-c', ('hint' in error ? error.hint : '').replace(/.*run: /, '')])
    const cell = await inLeft()
    cell.stdout.resume()
    cell.stderr.resume()
    expect((await cell.done).ending).toEqual({ kind: 'exited', code: 0 })
    expect(readdirSync(left)).toEqual(['.git', 'README'])
  })

  test('A5: an entry in .git that a cell put in the place of an inert one is quarantined', async () => {
    const cell = await waiting('read -r _; echo ../evil > .git/commondir && mkdir -p .vscode && echo bad > .vscode/tasks.json; exit 0')
    for (const each of ['.git/commondir', '.vscode']) rmSync(path.join(project, each), { recursive: true })
    cell.stdin?.write('go\n')
    const report = await cell.done
    expect(existsSync(path.join(project, '.git/commondir'))).toBe(false)
    // The directory is read-only again as soon as it exists, so it may be empty, and an empty one is removed.
    expect(existsSync(path.join(project, '.vscode'))).toBe(false)
    expect(aside(report)).toContain('.git/commondir')
    expect(readFileSync(path.join(project, '.git/commondir.quarantined'), 'utf8')).toBe('../evil\n')
  })
})

describe('A6: the user’s own programs take protections away', () => {
  const loop =
    'while :; do echo bad > .envrc; echo bad >> .git/config; mkdir -p .claude; echo {} > .claude/settings.json; sleep 0.05; done 2>/dev/null'

  test.each([
    ['git stash -a', ['stash', '-a', '-q']],
    ['git clean -fdx', ['clean', '-fdxq']],
  ])('A6: a cell goes on when %s removes inert entries, and what it writes there is quarantined', async (_, words) => {
    git('commit', '-q', '--allow-empty', '-m', 'first')
    const cell = await waiting(loop)
    git(...words)
    await expect.poll(() => existsSync(path.join(project, '.envrc'))).toBe(true)
    cell.kill()
    const report = await cell.done
    expect(report.ending.kind).toBe('cancelled')
    for (const each of ['.envrc', '.claude']) expect(existsSync(path.join(project, each))).toBe(false)
    expect(aside(report)).toContain('.envrc')
  })

  test('A6: git on the host cannot replace the config of a bare repository in the project while a cell runs, and can afterwards', async () => {
    git('init', '-q', '--bare', 'sub')
    const cell = await waiting('read -r _')
    expect(() => git('-C', 'sub', 'config', 'user.name', 'somebody')).toThrow(/could not lock config file/)
    cell.stdin?.end('go\n')
    expect((await cell.done).ending).toEqual({ kind: 'exited', code: 0 })
    git('-C', 'sub', 'config', 'user.name', 'somebody')
    expect(readdirSync(path.join(project, 'sub'))).not.toContain('config.lock')
  })

  test('A6: a lock of git’s own is left alone', async () => {
    writeFileSync(path.join(project, '.git/config.lock'), '')
    const cell = await waiting('read -r _')
    rmSync(path.join(project, '.git/config.lock'))
    await new Promise((resolve) => setTimeout(resolve, 2500))
    cell.stdin?.end('go\n')
    expect((await cell.done).ending).toEqual({ kind: 'exited', code: 0 })
  })

  test('A6: branches of remote ones are made in a cell as before, without following them', async () => {
    git('commit', '-q', '--allow-empty', '-m', 'first')
    git('branch', 'topic')
    const clone = path.join(root, 'clone')
    execFileSync('git', ['clone', '-q', project, clone])
    const script = 'git switch -q topic && git checkout -q -b two origin/topic && git branch three origin/topic'
    const cell = await start(plainSpec(clone, ['sh', '-c', script]), { stdin: 'none' })
    cell.stdout.resume()
    let said = ''
    cell.stderr.on('data', (each) => {
      said += String(each)
    })
    expect((await cell.done).ending).toEqual({ kind: 'exited', code: 0 })
    expect(said).toBe('')
  })

  /** Replaces the file without taking a lock, as some programs do. */
  const replaceConfig = (more: string): void => {
    const config = path.join(project, '.git/config')
    writeFileSync(`${config}.new`, readFileSync(config, 'utf8') + more)
    renameSync(`${config}.new`, config)
  }

  test('A6: a cell ends when .git/config is removed and the cell writes one, and the file is not obeyed', async () => {
    const cell = await waiting(
      `while :; do printf '[core]\\n\\tfsmonitor = touch ${root}/ran\\n' >> .git/config && sleep 9; sleep 0.01; done 2>/dev/null`,
    )
    rmSync(path.join(project, '.git/config'))
    const report = await cell.done
    expect(report.ending).toEqual({ kind: 'unprotected', path: path.join(project, '.git/config') })
    expect(aside(report)).toEqual(['.git/config'])
    git('status')
    expect(existsSync(path.join(root, 'ran'))).toBe(false)
  })

  test('A6: a configuration that only says more of branches stays where it is', async () => {
    git('commit', '-q', '--allow-empty', '-m', 'first')
    git('remote', 'add', 'origin', project)
    const cell = await waiting('read -r _; ! echo bad >> .git/config')
    replaceConfig('[branch "topic"]\n\tremote = origin\n\tmerge = refs/heads/topic\n\tvscode-merge-base = origin/main\n')
    await new Promise((resolve) => setTimeout(resolve, 500))
    cell.stdin?.end('go\n')
    const report = await cell.done
    expect(report.ending).toEqual({ kind: 'exited', code: 0 })
    expect(aside(report)).toEqual([])
    expect(String(git('config', 'branch.topic.remote')).trim()).toBe('origin')
    expect(existsSync(path.join(project, '.git/paddock'))).toBe(false)
  })

  test('A6: a cell goes on when the user changes other files, and removes a directory with a protected one', async () => {
    mkdirSync(path.join(project, 'sub/.vscode'), { recursive: true })
    writeFileSync(path.join(project, 'sub/.vscode/tasks.json'), '{}')
    const cell = await waiting('read -r _')
    rmSync(path.join(project, 'sub'), { recursive: true })
    git('commit', '-q', '--allow-empty', '-m', 'first')
    await new Promise((resolve) => setTimeout(resolve, 2500))
    cell.stdin?.end('go\n')
    expect((await cell.done).ending).toEqual({ kind: 'exited', code: 0 })
  })
})

test('A5: a copy of a project in which a cell runs gets no inert entries of it', async () => {
  const cell = await waiting('read -r _')
  const { takeTree } = await import('../../src/copy/taking/take-tree.ts')
  const { FileTaker } = await import('../../src/copy/taking/file-taker.ts')
  const copy = path.join(root, 'copy')
  mkdirSync(copy)
  writeFileSync(path.join(project, 'file'), 'of the user')
  const taken = await takeTree(project, copy, { directory: () => true, file: () => true }, new FileTaker())
  cell.stdin?.end('go\n')
  await cell.done
  expect(taken.entries.map((each) => each.path).sort()).toEqual(['README', 'file'])
  expect(readdirSync(copy).sort()).toEqual(['README', 'file'])
})

test.each([
  ['git stash -u', ['stash', '-u', '-q']],
  ['git clean -fd', ['clean', '-fdq']],
])('5: a cell goes on after %s, which leaves inert entries untouched', async (_, words) => {
  git('commit', '-q', '--allow-empty', '-m', 'first')
  writeFileSync(path.join(project, 'new'), '')
  const cell = await waiting('read -r _; ! echo bad > .envrc 2>/dev/null')
  git(...words)
  expect(existsSync(path.join(project, 'new'))).toBe(false)
  cell.stdin?.end('go\n')
  expect((await cell.done).ending).toEqual({ kind: 'exited', code: 0 })
})

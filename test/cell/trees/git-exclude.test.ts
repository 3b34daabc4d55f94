import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { machineBackends } from '../../../src/cell/backends/machine-backends.ts'
import type { Cell, StartCell } from '../../../src/cell/cell.ts'
import type { CellReport } from '../../../src/cell/report.ts'
import { openRegistry } from '../../../src/cell/run/cell-registry.ts'
import { sweep } from '../../../src/cell/run/sweep-cells.ts'
import { withoutBlocks } from '../../../src/cell/trees/exclude-block.ts'
import { knownEntries } from '../../../src/cell/trees/known-entries.ts'
import { removeTree } from '../../../src/files/remove-tree.ts'
import { pathsBelow, plainSpec, realCells } from '../../support/real-cell.ts'

let root: string
let project: string
let start: StartCell
beforeEach(() => {
  root = mkdtempSync('/tmp/paddock-exclude-')
  project = path.join(root, 'project')
  for (const each of ['home', 'project']) mkdirSync(path.join(root, each))
  git(project, 'init', '-q')
  writeFileSync(path.join(project, 'README'), 'a project\n')
  git(project, 'add', '.')
  git(project, 'commit', '-qm', 'README')
  start = realCells(pathsBelow(root))
})
afterEach(() => removeTree(root))

function git(directory: string, ...words: string[]): string {
  const always = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always']
  return String(execFileSync('git', [...always, ...words], { cwd: directory, stdio: ['ignore', 'pipe', 'ignore'] }))
}

const excludeOf = (directory: string): string => path.resolve(directory, git(directory, 'rev-parse', '--git-path', 'info/exclude').trim())

/** Starts a cell that reports when it runs, and waits for a line. */
async function waiting(directory: string, script = 'read -r _', from = start): Promise<Cell> {
  const cell = await from(plainSpec(directory, ['sh', '-c', `echo ready; ${script}`], { strictNames: true }), { stdin: 'pipe' })
  cell.stderr.resume()
  await new Promise((resolve) => cell.stdout.once('data', resolve))
  return cell
}

function end(cell: Cell): Promise<CellReport> {
  cell.stdin?.end('go\n')
  return cell.done
}

const goesWell = { ending: { kind: 'exited', code: 0 }, changes: { created: [], modified: [], quarantined: [], runsLater: [] } }

describe('5: git on the host sees no inert entry of a running cell', () => {
  test.each([
    ['in a repository', () => project],
    [
      'in a directory of one',
      () => {
        mkdirSync(path.join(project, 'sub [1]'))
        writeFileSync(path.join(project, 'sub [1]/file'), '')
        git(project, 'add', '.')
        git(project, 'commit', '-qm', 'sub')
        return path.join(project, 'sub [1]')
      },
    ],
    [
      'in a linked work tree',
      () => {
        git(project, 'commit', '-q', '--allow-empty', '-m', 'first')
        git(project, 'worktree', 'add', '-q', path.join(root, 'tree'))
        return path.join(root, 'tree')
      },
    ],
    [
      'in a submodule',
      () => {
        git(project, 'commit', '-q', '--allow-empty', '-m', 'first')
        mkdirSync(path.join(root, 'super'))
        git(path.join(root, 'super'), 'init', '-q')
        git(path.join(root, 'super'), 'submodule', 'add', project, 'lib')
        return path.join(root, 'super/lib')
      },
    ],
  ])('%s', async (_, place) => {
    const directory = place()
    const file = excludeOf(directory)
    const before = readFileSync(file)
    const cell = await waiting(directory)
    expect(readdirSync(directory)).toContain('.envrc')
    expect(git(directory, 'status', '--porcelain')).toBe('')
    git(directory, 'add', '-A')
    expect(git(directory, 'diff', '--cached', '--name-only')).toBe('')
    // Git shows files that the user creates there.
    writeFileSync(path.join(directory, 'new'), '')
    expect(git(directory, 'status', '--porcelain', '-uall')).toMatch(/^\?\? .*new"?\n$/)
    rmSync(path.join(directory, 'new'))
    expect(await end(cell)).toMatchObject(goesWell)
    expect(readFileSync(file)).toEqual(before)
  })
})

describe('5: the list of ignored files', () => {
  test.each([
    ['with lines of the user', 'mine\n'],
    ['without a last newline, not UTF-8', Buffer.from('/mine\xff', 'latin1')],
    ['empty', ''],
  ])('is as it was after a cell: %s', async (_, content) => {
    const file = excludeOf(project)
    writeFileSync(file, content)
    const before = readFileSync(file)
    const cell = await waiting(project)
    expect(git(project, 'status', '--porcelain')).toBe('')
    expect(readFileSync(file).length).toBeGreaterThan(before.length)
    expect(await end(cell)).toMatchObject(goesWell)
    expect(readFileSync(file)).toEqual(before)
  })

  test.each(['.git/info', '.git/info/exclude'])('is removed again if %s was not there', async (missing) => {
    rmSync(path.join(project, missing), { recursive: true })
    const one = await waiting(project)
    const two = await waiting(project)
    expect(git(project, 'status', '--porcelain')).toBe('')
    expect(await end(one)).toMatchObject(goesWell)
    expect(git(project, 'status', '--porcelain')).toBe('')
    expect(await end(two)).toMatchObject(goesWell)
    expect(existsSync(path.join(project, missing))).toBe(false)
  })

  test('is quarantined if it was not there and a cell added to it', async () => {
    rmSync(excludeOf(project))
    const cell = await waiting(project, 'echo "*" >> .git/info/exclude; read -r _')
    const report = await end(cell)
    expect(report.changes?.quarantined.map((each) => each.path)).toEqual(['.git/info/exclude'])
    expect(existsSync(excludeOf(project))).toBe(false)
  })

  test('has a directory that a cell cannot remove to put a link there', async () => {
    rmSync(excludeOf(project))
    const swap = 'mkdir x; echo "*" > x/exclude; rm -r .git/info || ln -sT ../x .git/info; read -r _'
    await end(await waiting(project, swap))
    expect(lstatSync(path.join(project, '.git/info')).isDirectory()).toBe(true)
    expect(git(project, 'status', '--porcelain')).toContain('x/')
  })

  test('is quarantined if a cell moved its directory away and made a link there', async () => {
    rmSync(excludeOf(project))
    const swap = 'mkdir x; echo "*" > x/exclude; mv .git/info .git/away && ln -sT ../x .git/info; read -r _'
    await end(await waiting(project, swap))
    expect(lstatSync(path.join(project, '.git/info'), { throwIfNoEntry: false })?.isSymbolicLink()).not.toBe(true)
    expect(git(project, 'status', '--porcelain')).toContain('x/')
  })

  test.each([
    ['lines', 'echo "*" >> .git/info/exclude', '.git/info/exclude'],
    ['a second name', 'ln .git/info/exclude .git/other; echo "*" >> .git/other', '.git/info/exclude'],
    ['a link', 'ln -sf ../../x .git/info/exclude', '.git/info/exclude'],
  ])('is quarantined if a cell put %s there while a cell of a directory used it', async (_, script, moved) => {
    rmSync(path.dirname(excludeOf(project)), { recursive: true })
    mkdirSync(path.join(project, 'sub'))
    const inSub = await waiting(path.join(project, 'sub'))
    const report = await end(await waiting(project, `${script}; read -r _`))
    expect(report.changes?.quarantined.map((each) => each.path)).toEqual([moved])
    await end(inSub)
    expect(existsSync(path.join(project, '.git/info/exclude'))).toBe(false)
  })

  test('names the entries until the last of two cells ends, and none of them loses a protection', async () => {
    const file = excludeOf(project)
    const before = readFileSync(file)
    mkdirSync(path.join(project, 'sub'))
    const one = await waiting(project, 'read -r _; ! echo "*" >> .git/info/exclude')
    const inSub = await waiting(path.join(project, 'sub'))
    expect(git(project, 'status', '--porcelain')).toBe('')
    // Longer than one round of the watch over protected paths.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(await end(inSub)).toMatchObject(goesWell)
    expect(git(project, 'status', '--porcelain')).toBe('')
    expect(await end(one)).toMatchObject(goesWell)
    expect(readFileSync(file)).toEqual(before)
  })

  test.each([
    ['mine\n', 'later\n', 'mine\nlater\n'],
    ['mine', '\nlater', 'mine\n\nlater'],
  ])('keeps what the user adds while a cell runs: %j, %j', async (before, added, after) => {
    const file = excludeOf(project)
    writeFileSync(file, before)
    const cell = await waiting(project)
    appendFileSync(file, added)
    expect(await end(cell)).toMatchObject(goesWell)
    expect(readFileSync(file, 'utf8')).toBe(after)
  })

  test('is as it was after the next sweep if Paddock was killed', async () => {
    const file = excludeOf(project)
    const before = readFileSync(file)
    const cell = await waiting(project)
    const registry = openRegistry(path.join(pathsBelow(root).state, 'cells'))
    const copy = path.join(root, 'cells-of-the-killed')
    const [record] = registry.all()
    const listed = readFileSync(file)
    await end(cell)
    // The state after a kill: a record without a process, and the lines, or a half-finished removal of the lines.
    for (const left of [listed, Buffer.concat([before, Buffer.from(`\n# paddock ${registry.tag} cut\n/.envrc\n# pad`)])]) {
      writeFileSync(file, left)
      registry.write('ab', {
        ...record,
        id: 'ab',
        known: knownEntries((record?.known ?? []).map(([each]) => each)),
        host: null,
        traces: {},
        runDirectory: copy,
      })
      expect(await sweep(registry, machineBackends({}), { onSwept: ({ quarantined }) => expect(quarantined).toEqual([]) })).toBe(1)
      expect(readFileSync(file)).toEqual(before)
    }
  })

  test.each(['a link', 'a directory that is a link', 'a file with a second name'])('is never written to elsewhere: %s', async (what) => {
    const elsewhere = path.join(root, 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(path.join(elsewhere, 'exclude'), 'of others\n')
    const sub = path.join(project, 'sub')
    mkdirSync(sub)
    const info = path.join(project, '.git/info')
    // The cell on a subdirectory does not see the repository around it. The change is between its start and its end.
    const cell = await waiting(sub)
    expect(git(project, 'status', '--porcelain')).toBe('')
    const other = what === 'a link' ? path.join(info, 'exclude') : info
    if (what === 'a file with a second name') {
      rmSync(path.join(info, 'exclude'))
      linkSync(path.join(elsewhere, 'exclude'), path.join(info, 'exclude'))
    } else {
      renameSync(other, `${other}.away`)
      symlinkSync(what === 'a link' ? path.join(elsewhere, 'exclude') : elsewhere, other)
    }
    const second = await waiting(sub)
    expect(await end(second)).toMatchObject(goesWell)
    expect(await end(cell)).toMatchObject(goesWell)
    expect(readFileSync(path.join(elsewhere, 'exclude'), 'utf8')).toBe('of others\n')
    expect(readdirSync(elsewhere)).toEqual(['exclude'])
  })

  test('of a repository that does not name the project too is left alone', async () => {
    const other = path.join(root, 'other')
    mkdirSync(other)
    git(other, 'init', '-q')
    const before = readFileSync(excludeOf(other))
    const sub = path.join(project, 'sub')
    mkdirSync(sub)
    writeFileSync(path.join(sub, '.git'), `gitdir: ${other}/.git\n`)
    const cell = await waiting(sub)
    expect(readFileSync(path.join(other, '.git/info/exclude'))).toEqual(before)
    expect(await end(cell)).toMatchObject(goesWell)
  })

  test('a copy of the project contains no such lines', async () => {
    const { copyGitDirectory } = await import('../../../src/copy/taking/git-directory.ts')
    const { repositoryOf } = await import('../../../src/cell/trees/source-repository.ts')
    const { FileTaker } = await import('../../../src/copy/taking/file-taker.ts')
    const before = readFileSync(excludeOf(project))
    const cell = await waiting(project)
    const from = repositoryOf(project, [])
    mkdirSync(path.join(root, 'copy'))
    if (from !== null) await copyGitDirectory(from, path.join(root, 'copy/.git'), new FileTaker())
    await end(cell)
    expect(readFileSync(path.join(root, 'copy/.git/info/exclude'))).toEqual(before)
  })

  test('is read in one pass, whatever a cell wrote into it', { timeout: 20_000 }, () => {
    const lines = 'x\n'.repeat(500_000)
    expect(withoutBlocks(`# paddock ab begin\n/.envrc\n${lines}# paddock ab end\n`, 'ab')).toBe(lines)
  })
})

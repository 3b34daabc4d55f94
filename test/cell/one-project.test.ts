import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Paths } from '../../src/base/paths.ts'
import { machineBackends } from '../../src/cell/backends/machine-backends.ts'
import type { CellIo, StartCell } from '../../src/cell/cell.ts'
import { markInert } from '../../src/cell/plan/protected/inert-mark.ts'
import { openRegistry } from '../../src/cell/run/cell-registry.ts'
import { unlessOthers } from '../../src/cell/run/entries-of-other-cells.ts'
import { sweep } from '../../src/cell/run/sweep-cells.ts'
import { changesSince } from '../../src/cell/trees/tree-changes.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import { carriersOf, cellMark } from '../../src/system/process-tree.ts'
import { pathsBelow, plainSpec, realCells } from '../support/real-cell.ts'

let root: string
let paths: Paths
let project: string
let start: StartCell
beforeEach(() => {
  root = mkdtempSync('/tmp/paddock-one-project-')
  paths = pathsBelow(root)
  project = path.join(root, 'project')
  for (const each of [paths.userHome, project]) mkdirSync(each)
  writeFileSync(path.join(project, 'README'), 'a project\n')
  start = realCells(paths)
})
afterEach(() => removeTree(root))

const io: CellIo = { stdin: 'pipe' }
const backends = machineBackends({})
const cell = (script: string) => plainSpec(project, ['sh', '-c', script], { strictNames: true })

/** Starts another Paddock that has the registry to itself: it reports that, pauses for half a second, and runs `act`. */
async function another(act: string): Promise<{ readonly done: Promise<unknown> }> {
  const module = pathToFileURL(path.resolve('src/cell/run/cell-registry.ts')).href
  const program = `import { openRegistry } from '${module}'
    import { writeSync } from 'node:fs'
    const registry = openRegistry(process.argv[1])
    registry.alone(() => { writeSync(1, 'alone'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500); ${act} })`
  const args = ['--input-type=module', '-e', program, path.join(paths.state, 'cells')]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const done = once(child, 'exit')
  await once(child.stdout, 'data')
  return { done }
}

test('the mount points of a starting cell are not removed by one that ends at that moment', async () => {
  const one = await start(cell('read -r _'), io)
  expect(existsSync(path.join(project, '.envrc'))).toBe(true)
  const record = { id: 'ab', host: null, trees: [], known: [], runDirectory: path.join(root, 'none') }
  const other = await another(`registry.write('ab', ${JSON.stringify({ ...record, inertPaths: [path.join(project, '.envrc')] })})`)
  one.stdin?.end('go\n')
  await one.done
  await other.done
  expect(readdirSync(project)).toEqual(['.envrc', 'README'])
  // The other cell never existed, and the next one notices that.
  const next = await start(cell('true'), io)
  next.stdin?.end()
  await next.done
  expect(readdirSync(project)).toEqual(['README'])
})

test('of two that end at once, one takes away what both stood on', async () => {
  const one = await start(cell('read -r _'), io)
  const registry = openRegistry(path.join(paths.state, 'cells'))
  const [record] = registry.all()
  registry.write('ab', { ...record, id: 'ab', runDirectory: path.join(root, 'none') })
  // It has seen that another cell uses the entries, and is about to remove its own record.
  const other = await another(`registry.remove('ab')`)
  one.stdin?.end('go\n')
  await one.done
  await other.done
  expect(readdirSync(project)).toEqual(['README'])
  expect(registry.all()).toEqual([])
})

test('many of one project start and end side by side, and nothing is left in it', async () => {
  const worker = async (): Promise<void> => {
    for (let turn = 0; turn < 6; turn++) {
      const each = await start(cell('test -f .envrc && test ! -s .envrc'), io)
      each.stdin?.end()
      expect((await each.done).ending).toEqual({ kind: 'exited', code: 0 })
    }
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  expect(readdirSync(project)).toEqual(['README'])
})

describe('after a Paddock that was killed', () => {
  const dead = { id: 'ab', backend: 'bubblewrap', host: null, startedAt: 0, trees: [] as string[], known: [], inertPaths: [] as string[] }

  test('inert entries that were only partly made are removed, not quarantined', async () => {
    const registry = openRegistry(path.join(paths.state, 'cells'))
    const inertPaths = ['.envrc', '.git', '.mcp.json'].map((each) => path.join(project, each))
    registry.write('ab', { ...dead, runDirectory: path.join(root, 'none'), trees: [project], inertPaths })
    writeFileSync(path.join(project, '.envrc'), '')
    mkdirSync(path.join(project, '.git'))
    expect(await sweep(registry, backends)).toBe(1)
    expect(readdirSync(project)).toEqual(['README'])
  })

  test('programs that were started for its cell and had not been noted are ended, and no others', async () => {
    const registry = openRegistry(path.join(paths.state, 'cells'))
    registry.write('ab', { ...dead, runDirectory: path.join(root, 'none'), traces: { cell: 'ab' } })
    const [its, others] = ['ab', 'abc'].map((id) => spawn('sleep', ['60'], { env: cellMark(id), stdio: 'ignore' })) as [
      ChildProcess,
      ChildProcess,
    ]
    try {
      await Promise.all([its, others].map((each) => once(each, 'spawn')))
      const ended = once(its, 'exit')
      await sweep(registry, backends)
      expect(await ended).toEqual([null, 'SIGKILL'])
      expect([others.exitCode, others.signalCode]).toEqual([null, null])
    } finally {
      for (const each of [its, others]) each.kill('SIGKILL')
    }
  })

  test('each backend cleans up after its own cells, and an unknown one is reported once and left alone', async () => {
    const registry = openRegistry(path.join(paths.state, 'cells'))
    const left = { ...dead, runDirectory: path.join(root, 'none'), traces: { machine: 'a' } }
    registry.write('ab', { ...left, backend: 'vm' })
    const swept: unknown[] = []
    const named = (name: string) => ({ name, sweep: async (traces: unknown) => void swept.push([name, traces]) })
    const lines: string[] = []
    const told = { notice: (line: string) => void lines.push(line) }
    for (const _ of [1, 2]) expect(await sweep(registry, [named('bubblewrap')], told)).toBe(0)
    expect([swept, registry.all().length, lines]).toEqual([[], 1, [expect.stringMatching(/^cell ab .* no backend vm, /)]])
    expect(await sweep(registry, [named('bubblewrap'), named('vm')], told)).toBe(1)
    expect([swept, registry.all().length]).toEqual([[['vm', { machine: 'a' }]], 0])
  })

  test('the program that builds a cell has its mark, and the agent does not', async () => {
    const one = await start(cell('cat /proc/self/environ; read -r _'), io)
    const [said] = (await once(one.stdout, 'data')) as [Buffer]
    expect(said.toString()).not.toContain('PADDOCK_CELL')
    // bwrap, with which the init of the cell ends. The init gets the environment of the agent.
    expect(carriersOf(one.id)).toHaveLength(1)
    one.stdin?.end('go\n')
    await one.done
    expect(carriersOf(one.id)).toEqual([])
  })
})

test('a path that another cell mounts on during the search through a tree is left as it is', async () => {
  const registry = openRegistry(path.join(paths.state, 'cells'))
  writeFileSync(path.join(project, '.envrc'), '')
  writeFileSync(path.join(project, '.mcp.json'), '{}')
  const rule = unlessOthers(registry, 'ab')
  const found = await changesSince(project, { startedAt: 0, known: [], runLater: [] }, (file, act) => {
    registry.write('cd', { id: 'cd', inertPaths: [path.join(project, '.envrc')] })
    rule(file, act)
  })
  expect(found.quarantined).toEqual([{ path: '.mcp.json', movedTo: '.mcp.json.quarantined' }])
  expect(readdirSync(project).sort()).toEqual(['.envrc', '.mcp.json.quarantined', 'README'])
})

test.each([
  ['a text with the mark of inert entries', 'file', 'export A=1\n', false],
  ['the text of an inert entry', 'file', '.\n', true],
  ['an empty directory', 'directory', '', true],
  ['a directory with another entry', 'directory', 'x', false],
] as const)('an entry of another cell is skipped only while it is inert: %s', async (_, kind, content, isSkipped) => {
  const registry = openRegistry(path.join(paths.state, 'cells'))
  const file = path.join(project, '.envrc')
  if (kind === 'file') writeFileSync(file, content)
  else mkdirSync(file)
  if (kind === 'directory' && content !== '') writeFileSync(path.join(file, content), '')
  markInert(file)
  registry.write('cd', { id: 'cd', inertPaths: [file], inert: kind === 'file' ? [[file, '.\n']] : [] })
  let isDone = false
  unlessOthers(registry, 'ab')(file, () => {
    isDone = true
  })
  expect(isDone).toBe(!isSkipped)
})

test('the inert entries of a killed cell of an older version are removed', async () => {
  mkdirSync(path.join(project, 'sub'))
  const [left, other] = [path.join(project, 'sub/.envrc'), path.join(project, 'sub/kept')]
  for (const each of [left, other]) {
    writeFileSync(each, each === left ? '.\n' : '')
    markInert(each)
  }
  const registry = openRegistry(path.join(paths.state, 'cells'))
  const record = { id: 'cd', host: null, startedAt: 0, trees: [project], known: [], inert: [[left, '.\n']], ghosts: [left, other] }
  registry.write('cd', { ...record, runDirectory: path.join(paths.state, 'none') } as never)
  await (await start(cell('true'), io)).done
  expect([existsSync(left), existsSync(other), registry.all()]).toEqual([false, false, []])
})

test('what a cell writes to the inert entries of another one in its new repository is removed', async () => {
  execFileSync('git', ['init', '-q', project])
  const run = (script: string) =>
    `git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one; git init -q new; git worktree add -q tree
    rm -f .git/worktrees/tree/config.worktree; echo ready; read -r _; ${script}`
  const one = await start(cell(run('echo ../../evil > new/.git/commondir; echo bad > .git/worktrees/tree/config.worktree')), io)
  await once(one.stdout, 'data')
  const other = await start(cell('echo ready; read -r _'), io)
  await once(other.stdout, 'data')
  expect(readFileSync(path.join(project, 'new/.git/commondir'), 'utf8')).toBe('.\n')
  one.stdin?.end('go\n')
  const { changes } = await one.done
  const isStill = () => ['new/.git/commondir', '.git/worktrees/tree/config.worktree'].map((each) => existsSync(path.join(project, each)))
  expect(isStill()).toEqual([false, false])
  const removed = changes?.laundered?.flatMap((each) => each.removed.map((entry) => `${each.path}/${entry}`))
  expect(removed).toEqual(expect.arrayContaining(['new/.git/commondir', '.git/worktrees/tree/config.worktree']))
  other.stdin?.end('go\n')
  await other.done
  expect(isStill()).toEqual([false, false])
})

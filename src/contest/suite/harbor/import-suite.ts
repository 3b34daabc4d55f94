import { lstat, mkdir, readdir, realpath, rename } from 'node:fs/promises'
import path from 'node:path'
import { stringify } from 'yaml'
import { messageOf, PaddockError } from '../../../base/errors.ts'
import { writeAtomic } from '../../../files/atomic.ts'
import { removeTree } from '../../../files/remove-tree.ts'
import { workspaceSchema } from '../../config/contest-workspace.ts'
import { pool } from '../../run/pool.ts'
import { copyStart } from '../../run/start/copy-start.ts'
import type { ContestDeps } from '../../state/contest-deps.ts'
import { noteContest } from '../../state/known-contests.ts'
import { parallelByMachine, slotsOf } from '../../state/slots.ts'
import { nameOf } from '../config/find-briefs.ts'
import { writeSuiteTemplate } from '../config/new-suite.ts'
import { SuiteLayout } from '../config/suite-layout.ts'
import { type BuildDeps, buildStart, solve } from './build-image.ts'
import { installedHere } from './machine.ts'
import { isEmpty, usePrograms, writePrograms } from './offline-programs.ts'
import { type HarborTask, type Here, readTask } from './read-task.ts'

/** The result of importing a task. */
export interface ImportedTask {
  /** The path relative to the imported directory. */
  readonly task: string
  /** The name of the brief made from the task; null: the task was left out. */
  readonly brief: string | null
  /** The reasons why the task was left out. */
  readonly reasons: readonly string[]
  /** Differences from running the task in Harbor itself. */
  readonly notes: readonly string[]
}

export interface ImportResult {
  readonly schemaVersion: 1
  readonly suite: string
  readonly tasks: readonly ImportedTask[]
}

export type ImportDeps = Pick<ContestDeps, 'startCell' | 'programs' | 'signal' | 'machine' | 'paths'> & {
  readonly done: (task: ImportedTask) => void
}

/**
 * `suite import`: makes briefs from the tasks in a directory in Harbor's layout (task.toml, instruction.md, environment/, tests/,
 * solution/), and a suite.yaml if there is none. An existing brief is not changed. Code of a task runs only in a cell.
 * @throws PaddockError NOT_FOUND without any task, CANCELLED after `deps.signal`.
 */
export async function importSuite(from: string, to: string, deps: ImportDeps): Promise<ImportResult> {
  const source = path.resolve(from)
  const suite = path.resolve(to)
  const tasks = await tasksBelow(source)
  if (tasks.length === 0)
    throw new PaddockError('NOT_FOUND', `There is no task in ${source}: no directory has a task.toml.`, {
      hint: 'Name a directory of tasks in the layout of Harbor, or one of them',
    })
  const scratch = path.join(deps.paths.state, 'scratch', `import-${process.pid}`)
  const done = new Map<string, ImportedTask>()
  const taken = new Map<string, string>()
  const named = tasks.map((task) => {
    const name = nameOf(path.basename(task === '' ? source : task)).slice(0, 63)
    const other = taken.get(name)
    if (other === undefined) taken.set(name, task)
    return { task, name, other }
  })
  try {
    const here = { installed: await installedHere(deps, scratch), home: deps.paths.userHome }
    const slots = slotsOf({ cells: parallelByMachine(deps.machine) })
    await pool(named, slots, deps.signal, async ({ task, name, other }) => {
      const result =
        other === undefined
          ? await importOne(path.join(source, task), path.join(suite, 'briefs', name), here, {
              ...deps,
              scratch: path.join(scratch, name),
            })
          : { reasons: [`it would be called ${name}, as ${other} is`], notes: [] }
      const entry = { task: task === '' ? path.basename(source) : task, brief: result.reasons.length === 0 ? name : null, ...result }
      done.set(task, entry)
      deps.done(entry)
    })
  } finally {
    await removeTree(scratch).catch(() => {})
  }
  if (deps.signal.aborted)
    throw new PaddockError('CANCELLED', 'The import was stopped; briefs that were done are kept.', { hint: 'Run it again to continue' })
  if ([...done.values()].some(({ brief }) => brief !== null)) {
    noteContest(deps.paths.state, { root: await realpath(suite), from: await realpath(source) })
    await writeSuiteTemplate(new SuiteLayout(suite))
  }
  return { schemaVersion: 1, suite, tasks: tasks.flatMap((each) => done.get(each) ?? []) }
}

/** Returns the directories with a task.toml, as sorted relative paths: the directory itself, or those at most two levels below it. */
async function tasksBelow(root: string): Promise<string[]> {
  const found: string[] = []
  const look = async (below: string, depth: number): Promise<void> => {
    const entries = await readdir(path.join(root, below), { withFileTypes: true }).catch(() => [])
    if (entries.some((each) => each.name === 'task.toml')) return void found.push(below)
    if (depth === 0) return
    for (const each of entries) if (each.isDirectory() && !each.name.startsWith('.')) await look(path.join(below, each.name), depth - 1)
  }
  await look('', 2)
  return found.toSorted()
}

async function importOne(directory: string, brief: string, here: Here, deps: BuildDeps): Promise<Pick<ImportedTask, 'reasons' | 'notes'>> {
  if ((await lstat(brief).catch(() => null)) !== null) return { reasons: [], notes: ['its brief already exists'] }
  const task = await readTask(directory, here)
  if ('reasons' in task) return { reasons: task.reasons, notes: [] }
  // The brief is made under a temporary name first, so that it is either complete or missing.
  const making = path.join(path.dirname(brief), `.${path.basename(brief)}.making`)
  try {
    await removeTree(making)
    const notes = await make(task, making, deps)
    await rename(making, brief)
    return { reasons: [], notes: [...task.notes, ...notes] }
  } catch (error) {
    if (!(error instanceof PaddockError) || deps.signal.aborted) throw error
    return { reasons: [messageOf(error)], notes: [] }
  } finally {
    await removeTree(making)
    await removeTree(deps.scratch)
  }
}

async function make(task: HarborTask, making: string, deps: BuildDeps): Promise<string[]> {
  const { settings, recipe, directories, workdir } = task
  const workspace = workspaceSchema.parse({ directories, cwd: workdir, env: { ...recipe.env, ...settings.env } })
  const start = path.join(making, 'start')
  await mkdir(making, { recursive: true })
  await buildStart(task, workspace, start, deps)
  await copyStart(path.join(task.directory, 'tests'), path.join(making, 'tests'))
  if (!isEmpty(task.programs.check)) await writePrograms(task.programs.check, path.join(making, 'programs'))
  const notes: string[] = []
  if (task.hasSolution) {
    const oracle = path.join(making, 'oracle')
    await copyStart(start, oracle)
    try {
      await solve(task, workspace, oracle, deps)
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error
      await removeTree(oracle)
      notes.push(`its solution could not be run, so there is no oracle: ${messageOf(error)}`)
    }
  }
  await writeAtomic(path.join(making, 'BRIEF.md'), `${task.instruction.trim()}\n`)
  await writeAtomic(path.join(making, 'brief.yaml'), stringify(briefOf(task, workspace, task.hasSolution && notes.length === 0)))
  return notes
}

/** A command that passes if the tests wrote a reward, because Harbor counts that number regardless of the exit code. */
const runTests =
  "bash /tests/test.sh; test -s /logs/verifier/reward.txt || test -s /logs/verifier/reward.json || { echo 'tests/test.sh wrote no reward'; exit 1; }"

function briefOf({ settings, programs }: HarborTask, workspace: ReturnType<typeof workspaceSchema.parse>, hasOracle: boolean): unknown {
  const exports = Object.entries(settings.verifierEnv).map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'; `)
  const timeouts = {
    ...(settings.agentMs === null ? {} : { participant: `${settings.agentMs}ms` }),
    ...(settings.verifierMs === null ? {} : { check: `${settings.verifierMs}ms` }),
  }
  return {
    schemaVersion: 1,
    workspace,
    start: 'start',
    checks: [
      {
        name: 'tests',
        command: exports.join('') + usePrograms(programs.check) + runTests,
        files: 'tests',
        filesAt: '/tests',
        rewardAt: '/logs/verifier',
        ...(isEmpty(programs.check) ? {} : { inputs: 'programs' }),
      },
    ],
    ...(hasOracle ? { oracle: 'oracle' } : {}),
    ...(Object.keys(timeouts).length === 0 ? {} : { timeouts }),
    ...(Object.keys(settings.limits).length === 0 ? {} : { limits: settings.limits }),
  }
}

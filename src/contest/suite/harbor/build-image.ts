import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import type { StartCell } from '../../../cell/cell.ts'
import type { CellSpec, MountWish } from '../../../cell/plan/spec.ts'
import { openLog } from '../../../run/capture.ts'
import { type Workspace, workspaceMounts } from '../../config/contest-workspace.ts'
import { copyStart } from '../../run/start/copy-start.ts'
import { type OfflinePrograms, usePrograms, writePrograms } from './offline-programs.ts'
import type { HarborTask } from './read-task.ts'

const maxLogBytes = 256 * 1024
const buildTimeoutMs = 5 * 60_000
const maxDiskBytes = 4 * 1024 ** 3

export interface BuildDeps {
  readonly startCell: StartCell
  readonly signal: AbortSignal
  /** A directory for temporary files of this task. */
  readonly scratch: string
}

const noPrograms: OfflinePrograms = { fetching: [], aliases: [], hasReport: false }

/** Creates the files that a task starts with, in a cell without network. Throws BAD_INPUT with the output if a step fails. */
export async function buildStart({ directory, recipe }: HarborTask, workspace: Workspace, start: string, deps: BuildDeps): Promise<void> {
  await mkdir(start, { recursive: true })
  if (recipe.steps.length === 0) return
  const script = ['set -e', ...recipe.steps.map(({ line }) => `( ${line}\n)`)].join('\n')
  await inCell('the files of the task', { script, programs: noPrograms }, { ...workspace, cwd: '/' }, start, deps, [
    { source: path.join(directory, 'environment'), target: '/inputs/environment', access: 'ro', reason: 'contest' },
  ])
}

/** Runs solution/solve.sh on a copy of the files that the task starts with, in a cell without network. Throws BAD_INPUT if it fails. */
export async function solve(
  { directory, settings, directories, programs }: HarborTask,
  workspace: Workspace,
  oracle: string,
  deps: BuildDeps,
): Promise<void> {
  const env = { ...workspace.env, ...settings.solutionEnv }
  const solution = path.join(directory, 'solution')
  // As in Harbor, the solution is added to the files that a task has in /solution.
  const isOfTask = directories.includes('/solution')
  if (isOfTask) await copyStart(solution, path.join(oracle, 'solution'))
  const script = `${usePrograms(programs.solution)}exec bash /solution/solve.sh`
  await inCell(
    'solution/solve.sh',
    { script, programs: programs.solution },
    { ...workspace, env },
    oracle,
    deps,
    isOfTask ? [] : [{ source: solution, target: '/solution', access: 'ro', reason: 'contest' }],
  )
}

async function inCell(
  what: string,
  { script, programs }: { readonly script: string; readonly programs: OfflinePrograms },
  workspace: Workspace,
  files: string,
  { startCell, signal, scratch }: BuildDeps,
  mounts: readonly MountWish[],
): Promise<void> {
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const inputs = path.join(scratch, 'inputs')
  const logs = path.join(scratch, 'logs')
  for (const each of [path.join(inputs, 'environment'), logs]) await mkdir(each, { recursive: true })
  await writePrograms(programs, inputs)
  await writeFile(path.join(inputs, 'script'), `${script}\n`)
  await using log = await openLog(path.join(scratch, 'output.log'), maxLogBytes)
  const own: MountWish[] = [{ source: inputs, target: '/inputs', access: 'ro', reason: 'contest' }]
  // A command may make directories for the tests and for the task at once.
  if (script.includes('/logs')) own.push({ source: logs, target: '/logs', access: 'rw', reason: 'contest' })
  const inside = { directories: workspace.directories, cwd: workspace.directories[0] ?? '/', env: {} }
  const spec: CellSpec = {
    name: what,
    command: ['/bin/sh', '/inputs/script'],
    cwd: workspace.cwd,
    mounts: [...(await workspaceMounts(inside, files)), ...own, ...mounts],
    masks: [],
    files: [],
    home: { kind: 'temporary' },
    env: { ...workspace.env },
    pathEntries: [],
    egress: { mode: 'off' },
    limits: { timeout: buildTimeoutMs, disk: maxDiskBytes },
    terminal: false,
    degraded: [],
  }
  const cell = await startCell(spec, { stdin: 'none' }, signal)
  const [report] = await Promise.all([cell.done, log.drain(cell.stdout), log.drain(cell.stderr)])
  signal.throwIfAborted()
  const { ending } = report
  if (ending.kind === 'exited' && ending.code === 0) return
  const how =
    ending.kind === 'exited'
      ? `exit code ${ending.code}`
      : ending.kind === 'start-failed'
        ? ending.message
        : ending.kind.replaceAll('-', ' ')
  const last = log.tail().trim().split('\n').at(-1) ?? ''
  throw new PaddockError('BAD_INPUT', `${what}: ${how}${last === '' ? '' : `: ${last.slice(0, 200)}`}`)
}

import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { ProbeBench } from './bench.ts'
import { becomes, endProcesses, leaveBehind, leftBehind, processesNamed, stubborn } from './named-processes.ts'
import { groupsOf } from './recorded-groups.ts'

/** The result for a cell whose Paddock was killed (SIGKILL). */
export interface Killed {
  /** Number of processes of the cell before the kill. */
  readonly before: number
  /** Number of processes that still existed three seconds after the kill. */
  readonly after: number
  /** Traces on the host immediately after the kill. */
  readonly traces: readonly string[]
  /** Traces that remained after the next start of a cell. Null if no cell was started, or the start failed. */
  readonly unswept: readonly string[] | null
}

/** Starts a separate Paddock with a cell, kills it and checks the result. Null if Paddock cannot be started. */
export async function killPaddock(bench: ProbeBench, startNext: boolean): Promise<Killed | null> {
  const root = await bench.directory()
  await mkdir(path.join(root, 'home'))
  const project = await bench.project()
  const word = bench.secret()
  const run = ['run', '--quiet', '--egress', 'off', '--strict-names', '--']
  const child = bench.startPaddock([...run, 'sh', '-c', `${leaveBehind}\n sleep 10`, stubborn, word], { root, cwd: project })
  if (child === null) return null
  child.stdout?.resume()
  let said = ''
  child.stderr?.on('data', (chunk) => {
    if (said.length < 1_000) said += String(chunk)
  })
  let groups: readonly string[] = []
  const traces = (): readonly string[] => [
    ...groups.filter(existsSync),
    ...['cells', 'run'].flatMap((each) => inDirectory(path.join(root, 'state', each))),
    ...readdirSync(project).filter((each) => each !== 'README'),
  ]
  // Paddock itself also has the word in its arguments.
  const inCell = (): readonly number[] => processesNamed(word).filter((each) => each !== child.pid)
  try {
    await becomes(() => inCell().length >= leftBehind + 1 || child.exitCode !== null, 10_000)
    const before = inCell().length
    if (before === 0) throw new Error(`the other Paddock did not start a cell: ${said.trim()}`)
    child.kill('SIGKILL')
    await new Promise((resolve) => (child.exitCode === null && child.signalCode === null ? child.once('exit', resolve) : resolve(null)))
    await becomes(() => inCell().length === 0, 3_000)
    const after = inCell().length
    const records = path.join(root, 'state', 'cells')
    groups = inDirectory(records).flatMap((each) => groupsOf(path.join(records, each)))
    const found = traces()
    return { before, after, traces: found, unswept: startNext && (await next(bench, root, project, run)) ? traces() : null }
  } finally {
    child.kill('SIGKILL')
    endProcesses(processesNamed(word))
    for (const each of groups.filter(existsSync)) await removeGroup(each)
  }
}

async function next(bench: ProbeBench, root: string, project: string, run: readonly string[]): Promise<boolean> {
  const child = bench.startPaddock([...run, 'true'], { root, cwd: project })
  child?.stdout?.resume()
  child?.stderr?.resume()
  return (await new Promise((resolve) => child?.once('exit', resolve))) === 0
}

/** Removes a group. This may be possible only shortly after its last process is gone. */
async function removeGroup(directory: string): Promise<void> {
  const remove = (): boolean => {
    try {
      rmdirSync(directory)
    } catch {
      // The group still contains a process.
    }
    return !existsSync(directory)
  }
  await becomes(remove, 2_000)
}

function inDirectory(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : []
}

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { systemPath, systemProgram } from './system-program.ts'

/** Identifies a process. Its pid by itself may belong to another one by now. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in the format of the system, with the boot it belongs to. */
  readonly started: string
}

/** The identity of a process that runs; null when there is none of that number. Linux: proc_pid_stat(5), field 22. */
export async function identify(pid: number): Promise<ProcessIdentity | null> {
  if (process.platform !== 'linux') return identifyByPs(pid)
  try {
    // The kernel answers at once.
    const [stat, boot] = [readFileSync(`/proc/${pid}/stat`, 'utf8'), readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')]
    // The name, in parentheses, may hold spaces and parentheses itself: fields are counted after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, ticks] = [fields[0], fields[19]]
    if (state === 'Z' || state === 'X' || ticks === undefined) return null
    return { pid, started: `${boot.trim()}:${ticks}` }
  } catch {
    return null
  }
}

/** True while this very process runs, not only one that was given its number later. */
export async function isRunning(who: ProcessIdentity): Promise<boolean> {
  return (await identify(who.pid))?.started === who.started
}

async function identifyByPs(pid: number): Promise<ProcessIdentity | null> {
  const ps = systemProgram('ps')
  if (ps === null) return null
  try {
    const { stdout } = await promisify(execFile)(ps, ['-o', 'lstart=', '-p', String(pid)], { env: { LC_ALL: 'C', PATH: systemPath } })
    return stdout.trim() === '' ? null : { pid, started: stdout.trim() }
  } catch {
    return null
  }
}

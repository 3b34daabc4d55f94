import { readFileSync } from 'node:fs'
import { hostProgram, systemPath } from './host-program.ts'
import { run } from './start-program.ts'

/** The identity of a process. The PID is not enough, because it may belong to another process by now. */
export interface ProcessIdentity {
  readonly pid: number
  /** The start time of the process in the system's format, together with the boot. */
  readonly started: string
}

/** Returns the identity of a running process; null if there is no process with that PID. Linux: proc_pid_stat(5), field 22. */
export async function identify(pid: number): Promise<ProcessIdentity | null> {
  if (process.platform !== 'linux') return identifyByPs(pid)
  try {
    // Read synchronously, because the kernel answers at once.
    const [stat, boot] = [readFileSync(`/proc/${pid}/stat`, 'utf8'), readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')]
    // The name, in parentheses, may itself contain spaces and parentheses, so fields are counted after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, ticks] = [fields[0], fields[19]]
    if (state === 'Z' || state === 'X' || ticks === undefined) return null
    return { pid, started: `${boot.trim()}:${ticks}` }
  } catch {
    return null
  }
}

/** Returns true while this very process runs, and not another one with the same PID. */
export async function isRunning(who: ProcessIdentity): Promise<boolean> {
  return (await identify(who.pid))?.started === who.started
}

async function identifyByPs(pid: number): Promise<ProcessIdentity | null> {
  const ps = hostProgram('ps')
  if (ps === null) return null
  try {
    const { stdout } = await run(ps, ['-o', 'lstart=', '-p', String(pid)], { env: { LC_ALL: 'C', PATH: systemPath } })
    return stdout.trim() === '' ? null : { pid, started: stdout.trim() }
  } catch {
    return null
  }
}

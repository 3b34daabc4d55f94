import { readdirSync, readFileSync } from 'node:fs'
import { codeOf } from '../base/errors.ts'
import { monotonicMs } from '../base/monotonic.ts'

/**
 * The kernel's report about a process (proc(5), /proc/PID/stat). `foreground`: the process group that its terminal signals; -1 without a
 * terminal.
 */
export interface ProcessStat {
  readonly state: string
  readonly parent: number
  readonly group: number
  readonly foreground: number
}

/** Returns the report; null if the process is gone. */
export function statOf(pid: number | string): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command's name, in parentheses, may contain anything, so fields are counted after the last one.
    const [state = '', parent, group, , , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state, parent: Number(parent), group: Number(group), foreground: Number(foreground) }
  } catch {
    return null
  }
}

/** Returns all descendants of a process, nearest first. A daemonised process is a child of the init of its PID namespace. */
export function descendants(root: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = statOf(name)?.parent
    if (parent === undefined) continue
    const siblings = children.get(parent)
    if (siblings) siblings.push(Number(name))
    else children.set(parent, [Number(name)])
  }
  const found: number[] = []
  for (let queue = [root]; queue.length > 0; ) {
    queue = queue.flatMap((each) => children.get(each) ?? [])
    found.push(...queue)
  }
  return found
}

/**
 * Returns the states of a process's threads that are not stopped or gone. The process itself shows only its first thread, which may have
 * ended.
 */
function statesOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => statOf(`${pid}/task/${thread}`)?.state ?? 'X')
      .filter((state) => !'TtZX'.includes(state))
  } catch {
    return []
  }
}

const mostLooks = 50
const mostMs = 2_000

/**
 * Stops all running descendants of a process (SIGSTOP) and returns the stopped ones. If new ones appear faster than they are stopped,
 * lets them continue and returns null. A process in an uninterruptible wait stops when the wait ends (proc(5), state D).
 */
export function freeze(root: number): readonly number[] | null {
  const stopped = new Set<number>()
  const since = monotonicMs()
  for (let looks = 0; looks < mostLooks && (looks < 2 || monotonicMs() - since < mostMs); looks++) {
    const running = descendants(root).filter((each) => statesOf(each).some((state) => !(state === 'D' && stopped.has(each))))
    if (running.length === 0) return [...stopped]
    for (const each of running) {
      signal(each, 'SIGSTOP')
      stopped.add(each)
    }
  }
  for (const each of stopped) signal(each, 'SIGCONT')
  return null
}

/** Returns the environment that marks the programs that build a cell. Its init and the agent get a different one, and end with these. */
export function cellMark(id: string): Readonly<Record<string, string>> {
  return { PADDOCK_CELL: id }
}

/** Returns the processes that were started with the mark of this cell (proc(5), /proc/PID/environ), on Linux. */
export function carriersOf(id: string): readonly number[] {
  if (process.platform !== 'linux') return []
  const [mark = ''] = Object.entries(cellMark(id)).map(([name, value]) => `${name}=${value}`)
  return processesWith('environ', mark)
}

/** Returns the accessible processes of this machine that have a word among their arguments or in their environment (proc(5)). */
export function processesWith(file: 'cmdline' | 'environ', word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && wordsOf(name, file).includes(word))
    .map(Number)
}

function wordsOf(pid: string, file: 'cmdline' | 'environ'): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** Sends a signal to a process that may have ended in the meantime. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

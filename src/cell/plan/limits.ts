import { PaddockError } from '../../errors.ts'
import { formatSize } from '../../quantities.ts'
import type { MachineFacts } from './facts.ts'

/** Limits as a caller wishes them. `undefined` means: the default; `null` means: none. */
export interface LimitWishes {
  /** Wall time in milliseconds. */
  readonly timeout?: number | null
  /** Milliseconds without any output before the cell is ended. */
  readonly silence?: number | null
  /** Bytes of memory for the whole cell. */
  readonly memory?: number | null
  /** Processes and threads of the whole cell. */
  readonly pids?: number | null
  /** Processors that the whole cell may keep busy, parts of one included (0.5). */
  readonly cpus?: number | null
  /** Bytes of one file. */
  readonly fileSize?: number | null
  /** Bytes that its writable places may grow by. */
  readonly disk?: number | null
}

/** Limits that the caller's kind of cell has if nobody asks for one. */
export type DefaultLimits = Pick<LimitWishes, 'silence'>

export type LimitName = 'timeout' | 'silence' | 'memory' | 'pids' | 'cpus' | 'fileSize' | 'disk'

export interface PlannedLimit {
  /** Milliseconds, bytes, a count or processors; null: not limited. */
  readonly value: number | null
  /** True if the user set it: then it is enforced or the cell does not start. */
  readonly asked: boolean
}

export type LimitPlan = Readonly<Record<LimitName, PlannedLimit>>

/** How one limit is held on this machine; part of the report. */
export interface LimitInForce {
  readonly limit: LimitName
  readonly value: number | null
  readonly asked: boolean
  /**
   * The name of the mechanism: `cgroup v1`, `cgroup v2`, `systemd-run`, `rlimit`, `rlimit and memory watch`, `host timer`, `size watch`, or
   * `none`.
   */
  readonly mechanism: string
  /** What the mechanism does not cover, in one clause; absent when it covers the limit wholly. */
  readonly gap?: string
}

const GiB = 1024 ** 3

/**
 * Returns the wishes over the defaults: memory is three quarters of the machine, at most 16 GiB; the rest stops runaways, not work. A
 * default is never above a hard limit of this process.
 * @throws PaddockError UNENFORCEABLE for a wish above one: no process of the cell could have that much
 */
export function planLimits(
  wishes: LimitWishes,
  machine: Pick<MachineFacts, 'memoryBytes' | 'hardLimits'>,
  { silence = null }: DefaultLimits = {},
): LimitPlan {
  const { fileBytes = null, dataBytes = null, processes = null } = machine.hardLimits ?? {}
  const planned = (wish: number | null | undefined, fallback: number | null): PlannedLimit =>
    wish === undefined ? { value: fallback, asked: false } : { value: wish, asked: wish !== null }
  const under = (
    hard: number | null,
    name: string,
    wish: number | null | undefined,
    fallback: number,
    show: (value: number) => string = String,
  ): PlannedLimit => {
    if (wish != null && hard !== null && wish > hard) {
      throw new PaddockError('UNENFORCEABLE', `The ${name} limit of ${show(wish)} cannot be set: the hard limit here is ${show(hard)}.`, {
        hint: 'Ask for less, or start Paddock where ulimit -H allows more',
      })
    }
    return planned(wish, Math.min(fallback, hard ?? fallback))
  }
  return {
    timeout: planned(wishes.timeout, null),
    silence: planned(wishes.silence, silence),
    memory: under(dataBytes, 'memory', wishes.memory, Math.min(16 * GiB, Math.floor(machine.memoryBytes * 0.75)), formatSize),
    pids: under(processes, 'pids', wishes.pids, 4096),
    fileSize: under(fileBytes, 'fileSize', wishes.fileSize, 16 * GiB, formatSize),
    disk: planned(wishes.disk, 32 * GiB),
    cpus: planned(wishes.cpus, null),
  }
}

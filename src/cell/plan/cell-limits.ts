import { PaddockError } from '../../base/errors.ts'
import { formatSize } from '../../base/quantities.ts'
import type { CellReport } from '../report.ts'
import type { MachineFacts } from './machine-facts.ts'
import type { CellPlan } from './plan-schema.ts'

/** Limits that a caller requests. `undefined` means the default; `null` means no limit. */
export interface LimitWishes {
  /** Maximum wall time in milliseconds. */
  readonly timeout?: number | null
  /** Milliseconds without any output after which the cell is ended. */
  readonly silence?: number | null
  /** Maximum memory of the whole cell in bytes. */
  readonly memory?: number | null
  /** Maximum number of processes and threads of the whole cell. */
  readonly pids?: number | null
  /** Number of processors that the whole cell may use. Fractions are allowed (0.5). */
  readonly cpus?: number | null
  /** Maximum size of one file in bytes. */
  readonly fileSize?: number | null
  /** Maximum growth of the cell's writable directories in bytes. */
  readonly disk?: number | null
}

/** Default limits for the caller's kind of cell. */
export type DefaultLimits = Pick<LimitWishes, 'silence'>

export type LimitPlan = CellPlan['limits']

export type LimitName = keyof LimitPlan

/** A limit, and whether the user set it. In that case the cell does not start unless the limit is enforced. */
export type PlannedLimit = LimitPlan[LimitName]

/** The mechanism for one limit on this machine. */
export type LimitInForce = CellReport['limits'][number]

const GiB = 1024 ** 3
/** Bytes by which the trees of a cell may grow if nobody asks for another limit. */
export const usualDisk = 32 * GiB

/**
 * Returns the requested limits with defaults filled in. The default for memory is three quarters of the machine, at most 16 GiB; the others
 * stop only runaway programs. A default is never above a hard limit of this process.
 * @throws PaddockError UNENFORCEABLE for a request above a hard limit, because no process of the cell could have that much
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
    disk: planned(wishes.disk, usualDisk),
    cpus: planned(wishes.cpus, null),
  }
}

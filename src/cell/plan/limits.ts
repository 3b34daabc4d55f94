import type { MachineFacts } from './facts.ts'

/** Limits as a caller wishes them. `undefined` means: the default; `null` means: none. */
export interface LimitWishes {
  /** Wall time in milliseconds. */
  readonly wallMs?: number | null
  /** Milliseconds without any output before the cell is ended. */
  readonly silenceMs?: number | null
  /** Bytes of memory for the whole cell. */
  readonly memoryBytes?: number | null
  /** Processes and threads of the whole cell. */
  readonly processes?: number | null
  /** Processors that the whole cell may keep busy, parts of one included (0.5). */
  readonly cpus?: number | null
  /** Bytes of one file. */
  readonly fileBytes?: number | null
  /** Bytes that its writable places may grow by. */
  readonly diskBytes?: number | null
}

export type LimitName = 'wall' | 'silence' | 'memory' | 'processes' | 'file-size' | 'disk' | 'cpus'

export interface PlannedLimit {
  /** Milliseconds, bytes, a count or processors; null: not limited. */
  readonly value: number | null
  /** True where the user named it: then it is enforced or the cell does not start. */
  readonly asked: boolean
}

export type LimitPlan = Readonly<Record<LimitName, PlannedLimit>>

/** How one limit is held on this machine; part of the report. */
export interface LimitInForce {
  readonly limit: LimitName
  readonly value: number | null
  readonly asked: boolean
  /** The mechanism in words: `cgroup v1`, `cgroup v2`, `systemd-run`, `rlimit`,
   * `rlimit and memory watch`, `host timer`, `size watch`, or `none`. */
  readonly mechanism: string
  /** What the mechanism does not cover, in one clause; absent when it covers the limit wholly. */
  readonly gap?: string
}

const GiB = 1024 ** 3

/** Wishes over defaults: memory is three quarters of the machine, at most 16 GiB; the rest stops runaways, not work. */
export function planLimits(wishes: LimitWishes, machine: Pick<MachineFacts, 'memoryBytes'>): LimitPlan {
  const planned = (wish: number | null | undefined, fallback: number | null): PlannedLimit =>
    wish === undefined ? { value: fallback, asked: false } : { value: wish, asked: wish !== null }
  return {
    wall: planned(wishes.wallMs, null),
    silence: planned(wishes.silenceMs, null),
    memory: planned(wishes.memoryBytes, Math.min(16 * GiB, Math.floor(machine.memoryBytes * 0.75))),
    processes: planned(wishes.processes, 4096),
    'file-size': planned(wishes.fileBytes, 16 * GiB),
    disk: planned(wishes.diskBytes, 32 * GiB),
    cpus: planned(wishes.cpus, null),
  }
}

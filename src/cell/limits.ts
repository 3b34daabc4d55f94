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
  /** Bytes of one file. */
  readonly fileBytes?: number | null
  /** Bytes that its writable places may grow by. */
  readonly diskBytes?: number | null
}

export type LimitName = 'wall' | 'silence' | 'memory' | 'processes' | 'file-size' | 'disk'

/** How one limit is held on this machine; part of the report. */
export interface LimitInForce {
  readonly limit: LimitName
  /** Milliseconds, bytes or a count; null: not limited. */
  readonly value: number | null
  /** True where the user named it: then it is enforced or the cell does not start. */
  readonly asked: boolean
  /** The mechanism in words: `cgroup v1`, `cgroup v2`, `systemd-run`, `rlimit`, `host timer`, `size watch`, or `none`. */
  readonly mechanism: string
  /** What the mechanism does not cover, in one clause; absent when it covers the limit wholly. */
  readonly gap?: string
}

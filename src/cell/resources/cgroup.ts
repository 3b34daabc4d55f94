import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { LimitPlan } from '../plan/cell-limits.ts'

/** A control group of one cell (cgroups(7)), with the kernel's accounting for it. */
export interface CellCgroup {
  readonly mechanism: 'cgroup v1' | 'cgroup v2'
  readonly holds: { readonly memory: boolean; readonly processes: boolean; readonly cpus: boolean }
  /**
   * Moves a process into the group. Its later children start in the group. The call may have to wait for all processes of the machine.
   */
  add(pid: number): Promise<void>
  /**
   * Files to which a single-threaded process writes `0` to move itself into the group at once, without waiting for others.
   * Empty if the kernel has no such files.
   */
  readonly entrances: readonly string[]
  /** Returns true if a process is in the group, in every hierarchy. */
  has(pid: number): boolean
  oomKills(): number
  peakMemoryBytes(): number | null
  cpuMs(): number | null
  /** Removes the group. Returns false if it still contains processes. */
  remove(): boolean
}

/** Receives the directories that are about to be created, so that they are found after a crash. */
type Note = (directories: readonly string[]) => void

/** The place where the hierarchies are mounted. Tests use another directory. */
export interface CgroupRoots {
  readonly mount: string
  /** The text of /proc/self/cgroup. */
  readonly self: string
}

export function machineCgroups(): CgroupRoots {
  return { mount: '/sys/fs/cgroup', self: readOr('/proc/self/cgroup', '') }
}

/**
 * Creates a group with the planned limits. Uses v2 if a delegated ancestor has the controllers, v1 if its hierarchies are writable (root).
 * Returns null if neither is possible.
 */
export function createCgroup(id: string, limits: LimitPlan, roots: CgroupRoots, note: Note): CellCgroup | null {
  return createV2(id, limits, roots, note) ?? createV1(id, limits, roots, note)
}

function createV2(id: string, limits: LimitPlan, roots: CgroupRoots, note: Note): CellCgroup | null {
  const own = /^0::(.*)$/m.exec(roots.self)?.[1]
  if (own === undefined || !existsSync(path.join(roots.mount, 'cgroup.controllers'))) return null
  // A group with its own processes cannot delegate controllers, so this code looks upwards for one that already does.
  for (let each = own; ; each = path.dirname(each)) {
    const parent = path.join(roots.mount, each)
    const handed = readOr(path.join(parent, 'cgroup.subtree_control'), '').split(/\s+/)
    if (handed.includes('memory') && handed.includes('pids') && writable(parent) && writable(path.join(parent, 'cgroup.procs'))) {
      const directory = path.join(parent, `paddock-${id}`)
      note([directory])
      const made = attempt(() => {
        mkdirSync(directory)
        if (limits.memory.value !== null) {
          writeFileSync(path.join(directory, 'memory.max'), String(limits.memory.value))
          attempt(() => writeFileSync(path.join(directory, 'memory.swap.max'), '0'))
          attempt(() => writeFileSync(path.join(directory, 'memory.oom.group'), '1'))
        }
        if (limits.pids.value !== null) writeFileSync(path.join(directory, 'pids.max'), String(limits.pids.value))
      })
      const { value } = limits.cpus
      const share = (): void => writeFileSync(path.join(directory, 'cpu.max'), `${quotaOf(value ?? 0)} ${periodUs}`)
      if (made) return v2(directory, value === null || (handed.includes('cpu') && attempt(share)))
      attempt(() => rmdirSync(directory))
    }
    if (each === '/' || each === '.') return null
  }
}

function v2(directory: string, cpus: boolean): CellCgroup {
  const field = (file: string, name: string): number =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readOr(path.join(directory, file), ''))?.[1] ?? 0)
  return {
    mechanism: 'cgroup v2',
    holds: { memory: true, processes: true, cpus },
    add: (pid) => writeFile(path.join(directory, 'cgroup.procs'), String(pid)),
    // Single threads can only be moved inside a threaded group (cgroups(7)).
    entrances: [],
    has: (pid) => isIn(pid, [directory]),
    oomKills: () => field('memory.events', 'oom_kill'),
    peakMemoryBytes: () => numberOr(readOr(path.join(directory, 'memory.peak'), '')),
    cpuMs: () => field('cpu.stat', 'usage_usec') / 1000,
    remove: () => !existsSync(directory) || attempt(() => rmdirSync(directory)),
  }
}

function createV1(id: string, limits: LimitPlan, roots: CgroupRoots, note: Note): CellCgroup | null {
  const made = new Map<string, string>()
  const wanted = ['memory', 'pids', 'cpuacct', ...(limits.cpus.value === null ? [] : ['cpu'])].flatMap((controller) => {
    const own = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(roots.self)?.[1]
    if (own === undefined) return []
    const parent = path.join(roots.mount, controller, own)
    return writable(parent) ? [{ controller, directory: path.join(parent, `paddock-${id}`) }] : []
  })
  if (wanted.length > 0) note(wanted.map((each) => each.directory))
  for (const { controller, directory } of wanted) {
    // One directory may be two controllers (`cpu,cpuacct`). The second one finds the directory of the first.
    const isMade = attempt(() => mkdirSync(directory)) || [...made.values()].some((each) => isSame(each, directory))
    if (isMade) made.set(controller, directory)
  }
  const memory = made.get('memory')
  const pids = made.get('pids')
  const cpu = made.get('cpu')
  const holds = {
    memory: memory !== undefined && attempt(() => limitV1Memory(memory, limits.memory.value)),
    processes:
      pids !== undefined &&
      attempt(() => limits.pids.value === null || writeFileSync(path.join(pids, 'pids.max'), String(limits.pids.value))),
    cpus: limits.cpus.value === null || (cpu !== undefined && attempt(() => limitV1Cpu(cpu, limits.cpus.value ?? 0))),
  }
  if (made.size === 0) return null
  const directories = [...made.values()].filter((each, index, all) => all.findIndex((other) => isSame(each, other)) === index)
  return {
    mechanism: 'cgroup v1',
    holds,
    add: async (pid) => {
      await Promise.all(directories.map((each) => writeFile(path.join(each, 'cgroup.procs'), String(pid))))
    },
    entrances: directories.map((each) => path.join(each, 'tasks')),
    has: (pid) => isIn(pid, directories),
    oomKills: () =>
      memory === undefined ? 0 : Number(/^oom_kill (\d+)$/m.exec(readOr(path.join(memory, 'memory.oom_control'), ''))?.[1] ?? 0),
    peakMemoryBytes: () => (memory === undefined ? null : numberOr(readOr(path.join(memory, 'memory.max_usage_in_bytes'), ''))),
    cpuMs: () => {
      const accounting = made.get('cpuacct')
      const nanoseconds = accounting === undefined ? null : numberOr(readOr(path.join(accounting, 'cpuacct.usage'), ''))
      return nanoseconds === null ? null : nanoseconds / 1e6
    },
    remove: () => directories.map((each) => !existsSync(each) || attempt(() => rmdirSync(each))).every(Boolean),
  }
}

/** Removes a group. This may be possible only shortly after its last process is gone. */
export async function removeGroup(cgroup: CellCgroup | null): Promise<void> {
  for (let wait = 1; cgroup !== null && !cgroup.remove() && wait < 500; wait *= 2) await new Promise((resolve) => setTimeout(resolve, wait))
}

/** Compares the names in /proc/PID/cgroup (cgroups(7)), which contains one line for each hierarchy. */
function isIn(pid: number, directories: readonly string[]): boolean {
  const groups = readOr(`/proc/${pid}/cgroup`, '')
    .split('\n')
    .filter((line) => directories.some((each) => line.endsWith(`/${path.basename(each)}`)))
  return groups.length >= directories.length
}

function limitV1Memory(directory: string, bytes: number | null): void {
  if (bytes === null) return
  writeFileSync(path.join(directory, 'memory.limit_in_bytes'), String(bytes))
  // Memory and swap together. Absent if the kernel does not account for swap.
  const both = path.join(directory, 'memory.memsw.limit_in_bytes')
  if (existsSync(both)) writeFileSync(both, String(bytes))
}

/** The period in microseconds for a group's share (cpu.cfs_period_us, cpu.max); the kernel's default. */
const periodUs = 100_000

/** Returns the quota in microseconds. The kernel accepts no quota below one millisecond. */
function quotaOf(cpus: number): number {
  return Math.max(1_000, Math.round(cpus * periodUs))
}

function limitV1Cpu(directory: string, cpus: number): void {
  writeFileSync(path.join(directory, 'cpu.cfs_period_us'), String(periodUs))
  writeFileSync(path.join(directory, 'cpu.cfs_quota_us'), String(quotaOf(cpus)))
}

/**
 * Returns true if this user's systemd may divide processor time among its units. Otherwise systemd still creates a scope with a share, but
 * the share has no effect.
 */
export function userManagerHoldsCpus(roots: CgroupRoots): boolean {
  const manager = /^0::(.*\/user@\d+\.service)(?:\/|$)/m.exec(roots.self)?.[1]
  return (
    manager !== undefined &&
    readOr(path.join(roots.mount, manager, 'cgroup.controllers'), '')
      .split(/\s+/)
      .includes('cpu')
  )
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((each) => statSync(each, { throwIfNoEntry: false }))
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev
}

function writable(file: string): boolean {
  return attempt(() => accessSync(file, constants.W_OK))
}

function attempt(act: () => unknown): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

function readOr(file: string, fallback: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return fallback
  }
}

function numberOr(text: string): number | null {
  const value = Number.parseInt(text, 10)
  return Number.isFinite(value) ? value : null
}

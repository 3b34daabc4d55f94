import { randomBytes } from 'node:crypto'
import { messageOf } from '../../../base/errors.ts'
import { hostProgram, refusedProgram } from '../../../system/host-program.ts'
import { installHint } from '../../../system/packages.ts'
import { run } from '../../../system/start-program.ts'
import { type BackendLook, type Check, failedCheck } from '../../backend-facts.ts'
import { requireRealNetwork } from '../../network/real-network.ts'
import type { LimitPlan } from '../../plan/cell-limits.ts'
import { limitCause, readLimitFacts } from '../causes/limit-causes.ts'
import { measured } from '../enforcement.ts'
import { holdLimits } from '../hold-limits.ts'
import { rootCapabilityChecks } from '../root-capabilities.ts'
import { cellBuilder } from './cell-builders.ts'
import type { BubblewrapOptions } from './prepare-script.ts'

/** Returns what this machine provides for cells with bubblewrap, and what is missing. */
export async function lookForBubblewrap(options: BubblewrapOptions): Promise<BackendLook> {
  const limits = limitsHere(options)
  const version = await versionOf(options.searchPath)
  return {
    ...(version === null ? {} : { version }),
    checks: [...toolChecks(options.searchPath), ...versionChecks(version), ...rootCapabilityChecks(), ...limitChecks(limits, options)],
    limits,
    egress: [{ modes: ['off', 'allowlist'], ok: true, detail: 'enforced by the gateway' }, realNetwork(options.searchPath)],
    terminal: hostProgram('setsid', options.searchPath) !== null,
    publish: hostProgram('nsenter', options.searchPath) !== null,
  }
}

const tools: readonly { readonly name: string; readonly purpose: string }[] = [
  { name: 'bwrap', purpose: 'builds the cell' },
  { name: 'unshare', purpose: 'makes its network namespace' },
  { name: 'nsenter', purpose: 'publishes ports of it' },
  { name: 'prlimit', purpose: 'sets limits in it' },
  { name: 'perl', purpose: 'makes its last mounts and its network’s listeners, and is its init' },
]

function toolChecks(searchPath: string): readonly Check[] {
  return tools.map(({ name, purpose }): Check => {
    const file = name === 'bwrap' || name === 'unshare' ? cellBuilder(name, searchPath) : hostProgram(name, searchPath)
    if (file !== null) return { name, ok: true, detail: `${file}: ${purpose}` }
    const refusal = refusedProgram(name, searchPath)
    if (refusal !== null) return { name, ok: false, detail: `${refusal.message}; it ${purpose}`, hint: refusal.hint }
    const remedies = [{ kind: 'program', name }] as const
    return { name, ok: false, detail: `not installed; it ${purpose}`, hint: installHint(name), remedies }
  })
}

/** Returns what bwrap prints as its version, or why it cannot; null if there is no bwrap. */
async function versionOf(searchPath: string): Promise<string | null> {
  const file = cellBuilder('bwrap', searchPath)
  if (file === null) return null
  return (await run(file, ['--version'], { timeout: 5000 }).then(({ stdout }) => stdout, messageOf)).trim()
}

/** Checks the version, because `--disable-userns` was added in 0.8 (bwrap(1)). */
function versionChecks(version: string | null): readonly Check[] {
  if (version === null) return []
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? []
  const ok = Number(major) > 0 || Number(minor) >= 8
  const hint = ok ? {} : { hint: 'Install bubblewrap 0.8 or newer' }
  return [{ name: 'bwrap version', ok, detail: `${version}; 0.8 is needed to close further user namespaces`, ...hint }]
}

function realNetwork(searchPath: string): BackendLook['egress'][number] {
  const modes = ['public', 'open'] as const
  try {
    requireRealNetwork('public', searchPath, process.getuid?.() === 0)
    return { modes, ok: true, detail: 'enforced by pasta and a packet filter' }
  } catch (error) {
    return { modes, ok: false, ...failedCheck(error) }
  }
}

/** Returns the reason why memory or processor time cannot be limited for a cell as a whole. Cells work without, so the check is passed. */
function limitChecks(limits: BackendLook['limits'], { sessionEnv }: BubblewrapOptions): readonly Check[] {
  if (!limits.some(({ mechanism }) => mechanism === measured || mechanism === 'none')) return []
  const { why, ...fix } = limitCause(readLimitFacts(sessionEnv))
  return [{ name: 'control groups', ok: true, detail: `not all limits hold for a cell as a whole: ${why}`, ...fix }]
}

/** Limits for a test. Any value works, because no process is put under them. */
const some = { value: 2 ** 20, asked: false }
const one = { value: 1, asked: false }
const someLimits: LimitPlan = { timeout: some, silence: some, memory: some, pids: some, fileSize: some, disk: some, cpus: one }

/** Returns how each limit would be held. Briefly creates a control group, because there is no other way to know if that works. */
function limitsHere(options: BubblewrapOptions): BackendLook['limits'] {
  const id = `look-${randomBytes(6).toString('hex')}`
  const { cgroup, enforcement } = holdLimits(id, someLimits, ['memory', 'cpus'], options, () => undefined)
  cgroup?.remove()
  return enforcement.limits.map(({ limit, mechanism, gap }) => ({ limit, mechanism, ...(gap === undefined ? {} : { gap }) }))
}

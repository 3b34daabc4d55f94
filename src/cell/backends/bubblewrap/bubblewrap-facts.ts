import { randomBytes } from 'node:crypto'
import { messageOf, PaddockError } from '../../../base/errors.ts'
import { hostProgram, refusedProgram } from '../../../system/host-program.ts'
import { run } from '../../../system/start-program.ts'
import type { BackendLook, Check } from '../../backend-facts.ts'
import { requireRealNetwork } from '../../network/real-network.ts'
import type { LimitPlan } from '../../plan/cell-limits.ts'
import { holdLimits } from '../hold-limits.ts'
import { rootCapabilityChecks } from '../root-capabilities.ts'
import { userNamespaceChecks } from '../user-namespaces.ts'
import type { BubblewrapOptions } from './prepare-script.ts'

/** Returns what this machine provides for cells with bubblewrap, and what is missing. */
export async function lookForBubblewrap(options: BubblewrapOptions): Promise<BackendLook> {
  return {
    checks: [
      ...toolChecks(options.searchPath),
      ...(await versionChecks(options.searchPath)),
      ...userNamespaceChecks(),
      ...rootCapabilityChecks(),
    ],
    limits: limitsHere(options),
    egress: [{ modes: ['off', 'allowlist'], ok: true, detail: 'enforced by the gateway' }, realNetwork(options.searchPath)],
    terminal: hostProgram('setsid', options.searchPath) !== null,
    publish: hostProgram('nsenter', options.searchPath) !== null,
  }
}

const tools: readonly { readonly name: string; readonly purpose: string; readonly hint: string }[] = [
  { name: 'bwrap', purpose: 'builds the cell', hint: 'Run: apt-get install bubblewrap' },
  { name: 'unshare', purpose: 'makes its network namespace', hint: 'Run: apt-get install util-linux' },
  { name: 'nsenter', purpose: 'publishes ports of it', hint: 'Run: apt-get install util-linux' },
  { name: 'prlimit', purpose: 'sets limits in it', hint: 'Run: apt-get install util-linux' },
  { name: 'perl', purpose: 'makes its last mounts and its network’s listeners, and is its init', hint: 'Run: apt-get install perl-base' },
]

function toolChecks(searchPath: string): readonly Check[] {
  return tools.map(({ name, purpose, hint }) => {
    const file = hostProgram(name, searchPath)
    if (file !== null) return { name, ok: true, detail: `${file}: ${purpose}` }
    const refusal = refusedProgram(name, searchPath)
    return { name, ok: false, detail: `${refusal?.message ?? 'not installed'}; it ${purpose}`, hint: refusal?.hint ?? hint }
  })
}

/** Checks the version, because `--disable-userns` was added in 0.8 (bwrap(1)). */
async function versionChecks(searchPath: string): Promise<readonly Check[]> {
  const file = hostProgram('bwrap', searchPath)
  if (file === null) return []
  const version = await run(file, ['--version'], { timeout: 5000 }).then(({ stdout }) => stdout, messageOf)
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? []
  const ok = Number(major) > 0 || Number(minor) >= 8
  const hint = ok ? {} : { hint: 'Install bubblewrap 0.8 or newer' }
  return [{ name: 'bwrap version', ok, detail: `${version.trim()}; 0.8 is needed to close further user namespaces`, ...hint }]
}

function realNetwork(searchPath: string): BackendLook['egress'][number] {
  const modes = ['public', 'open'] as const
  try {
    requireRealNetwork('public', searchPath, process.getuid?.() === 0)
    return { modes, ok: true, detail: 'enforced by pasta and a packet filter' }
  } catch (error) {
    const hint = error instanceof PaddockError && error.hint !== undefined ? { hint: error.hint } : {}
    return { modes, ok: false, detail: messageOf(error), ...hint }
  }
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

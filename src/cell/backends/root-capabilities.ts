import { readFileSync } from 'node:fs'
import { PaddockError } from '../../base/errors.ts'
import type { Check } from '../backend-facts.ts'

type Capability = readonly [name: string, bit: bigint]

/** What Paddock needs as root to build cells under other uids, with the bit of each (capabilities(7)). */
const forCells: readonly Capability[] = [
  ['CAP_KILL', 5n],
  ['CAP_SETGID', 6n],
  ['CAP_SETUID', 7n],
  ['CAP_SYS_CHROOT', 18n],
  ['CAP_SYS_ADMIN', 21n],
]
/** What it needs to set up the network of a cell that reaches anything. */
const forNetworks: readonly Capability[] = [
  ['CAP_NET_BIND_SERVICE', 10n],
  ['CAP_NET_ADMIN', 12n],
  ['CAP_SYS_PTRACE', 19n],
]
const hint = 'Run Paddock as an ordinary user, or give root these capabilities, for example with --cap-add of docker run'

/** Throws if root lacks capabilities, as in most containers. */
export function requireRootCapabilities(networked: boolean): void {
  const missing = missingOfRoot(networked)
  if (missing.length > 0)
    throw new PaddockError('UNENFORCEABLE', `Cells of root need ${missing.join(', ')}, which root lacks here.`, { hint })
}

/** Returns the result for the capabilities of root; nothing for other users, who need none. */
export function rootCapabilityChecks(): readonly Check[] {
  if (process.getuid?.() !== 0) return []
  const missing = missingOfRoot(true)
  const name = 'capabilities'
  if (missing.length > 0) return [{ name, ok: false, detail: `root lacks ${missing.join(', ')}`, hint }]
  return [{ name, ok: true, detail: 'root has those that cells need' }]
}

function missingOfRoot(networked: boolean): readonly string[] {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  const bits = BigInt(`0x${effective}`)
  return [...forCells, ...(networked ? forNetworks : [])].filter(([, bit]) => (bits & (1n << bit)) === 0n).map(([name]) => name)
}

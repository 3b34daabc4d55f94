import type { EgressPolicy } from '../../egress/policy/policy.ts'

/** The rung of the ladder that a cell stands on; L0 is the bare host, which Paddock never runs anything on. */
export type Posture = 'L0' | 'L1' | 'L2' | 'L3' | 'L4' | 'L5'

export const postureMeaning: Readonly<Record<Posture, string>> = {
  L0: 'bare host: nothing between the agent and the user',
  L1: 'sandbox with a shared kernel and open egress',
  L2: 'sandbox with a shared kernel, hardened: allowlisted mounts, scrubbed environment, egress off, allowlisted or public only',
  L3: 'local virtual machine with its own kernel',
  L4: 'another machine',
  L5: 'a managed platform',
}

export function postureOf(egress: EgressPolicy): Posture {
  return egress.mode === 'open' ? 'L1' : 'L2'
}

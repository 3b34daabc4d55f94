import { PaddockError } from './errors.ts'

/** The isolation level of a cell. It does not depend on the egress policy. */
export type Posture = (typeof postures)[number]

/** All isolation levels, the lowest first. */
export const postures = ['L0', 'L1', 'L2', 'L3', 'L4', 'L5'] as const

export const defaultPosture = 'L2' satisfies Posture

export const postureMeaning: Readonly<Record<Posture, string>> = {
  L0: 'bare host: nothing between the agent and the user',
  L1: 'the host without your credentials: its files can be read, changes in your home are lost, the network is as in L2',
  L2: 'the cell: a shared kernel, allowlisted mounts, a scrubbed environment, a network of its own',
  L3: 'local virtual machine with its own kernel',
  L4: 'another machine',
  L5: 'a managed platform',
}

/** Throws UNENFORCEABLE if a backend builds no cells of this level. `place`: the option or key that names it. Nothing falls back to a lower level by itself. */
export function requirePosture(
  posture: Posture,
  { name, postures: built }: { readonly name: string; readonly postures: readonly Posture[] },
  place: string | null = null,
): void {
  if (built.includes(posture)) return
  throw new PaddockError('UNENFORCEABLE', `${place ?? `--posture ${posture}`}: ${name} builds no cells of that isolation level here.`, {
    hint: `Use one of: ${built.join(', ')}`,
  })
}

/** Returns true if a level is higher than another. */
export function isHigher(one: Posture, other: Posture): boolean {
  return postures.indexOf(one) > postures.indexOf(other)
}

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

/** Returns true if a level is higher than another. */
export function isHigher(one: Posture, other: Posture): boolean {
  return postures.indexOf(one) > postures.indexOf(other)
}

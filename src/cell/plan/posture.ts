/** The isolation level of a cell. It depends on the backend, not on the egress policy. */
export type Posture = 'L0' | 'L1' | 'L2' | 'L3' | 'L4' | 'L5'

export const postureMeaning: Readonly<Record<Posture, string>> = {
  L0: 'bare host: nothing between the agent and the user',
  L1: 'the host, readable except for credentials',
  L2: 'the cell: a shared kernel, allowlisted mounts, a scrubbed environment, a network of its own',
  L3: 'local virtual machine with its own kernel',
  L4: 'another machine',
  L5: 'a managed platform',
}

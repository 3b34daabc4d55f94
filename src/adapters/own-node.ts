import type { MountWish } from '../cell/plan/spec.ts'

/** Where a cell has it. Not at its path on the host: that may lie below /check, /agent or another place of a contest's cells. */
const directory = '/run/paddock/bin'

/** The Node that runs Paddock, which checks and scripted participants may count on, wherever it is installed. */
export const ownNode: { readonly program: string; readonly mount: MountWish; readonly pathEntry: string } = {
  program: `${directory}/node`,
  mount: { source: process.execPath, target: `${directory}/node`, access: 'ro', reason: 'agent' },
  pathEntry: directory,
}

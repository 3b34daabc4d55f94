import type { MountWish } from '../cell/plan/spec.ts'

/** The directory of Node in a cell. Not its path on the host, which may be below /check, /agent or another place of a contest's cells. */
const directory = '/run/paddock/bin'

/** The Node that runs Paddock. Checks and scripted participants can rely on it, wherever it is installed. */
export const ownNode: { readonly program: string; readonly mount: MountWish; readonly pathEntry: string } = {
  program: `${directory}/node`,
  mount: { source: process.execPath, target: `${directory}/node`, access: 'ro', reason: 'agent' },
  pathEntry: directory,
}

import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { kindBelow } from '../../files/kind-below.ts'
import { contains, targetOf } from '../plan/filesystem.ts'
import type { CellPlan } from '../plan/plan.ts'

/**
 * Throws if a link in the private home would redirect a mount. Mounts in the home need mount points, and its agent may have created links.
 * @throws PaddockError `CELL_FAILED` that names the link and says how to remove it
 */
export function refuseLinkedHome(plan: CellPlan): void {
  const home = plan.filesystem.find((each) => each.kind === 'bind' && each.reason === 'home')
  if (home?.kind !== 'bind') return
  for (const entry of plan.filesystem) {
    const target = targetOf(entry)
    if (entry === home || !contains(home.target, target)) continue
    const inHome = path.join(home.source, path.relative(home.target, target))
    if (kindBelow(home.source, inHome) !== 'link') continue
    throw new PaddockError('CELL_FAILED', `In the agent's private home, ${target} is behind a symbolic link.`, {
      hint: `Look at ${inHome} and the directories above it, and remove the link; or remove the private home: ${home.source}`,
    })
  }
}

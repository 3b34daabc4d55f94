import path from 'node:path'
import type { AgentAdapter } from '../../adapters/adapter.ts'
import type { MountWish } from '../../cell/plan/spec.ts'
import type { RoleConfig } from '../config/contest-schema.ts'

/**
 * Returns the mounts of a participant's skills and instructions in its private home, so that they are never in its work. They are read-only,
 * and keep their modes, because skills have scripts.
 */
export function broughtMounts(
  { skills = [], instructions }: RoleConfig,
  { reads }: AgentAdapter,
  { contestRoot, userHome }: { readonly contestRoot: string; readonly userHome: string },
): readonly MountWish[] {
  if (reads === undefined) return []
  const mount = (file: string, target: string): MountWish => ({
    source: path.join(contestRoot, file),
    target: path.join(userHome, target),
    access: 'ro',
    reason: 'contest',
  })
  return [
    ...skills.map((each) => mount(each, path.join(reads.skills, path.basename(path.normalize(each))))),
    ...(instructions === undefined ? [] : [mount(instructions, reads.instructions)]),
  ]
}

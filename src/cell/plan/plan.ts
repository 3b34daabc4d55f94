import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { defaultPosture } from '../../base/posture.ts'
import { cellFiles } from './cell-files.ts'
import { type CellGit, plainGit } from './cell-git.ts'
import { planLimits } from './cell-limits.ts'
import type { CellTrust } from './certificates.ts'
import { planEnvironment } from './environment.ts'
import { homeFilesDirectory, planFilesystem } from './filesystem.ts'
import type { MachineFacts, ProjectFacts } from './machine-facts.ts'
import { masked } from './masks.ts'
import type { CellPlan } from './plan-schema.ts'
import { visibleInCell } from './programs-in-cell.ts'
import type { CellSpec } from './spec.ts'

export type { CellPlan }

/**
 * Decides everything about a cell from wishes and facts. Pure: reads only its arguments.
 * @param trust required if the policy has inspected hosts.
 * @param git what the cell's git adopts from the user's. Default: nothing
 * @param spec with the name of the backend that builds the cell
 * @throws PaddockError `BAD_INPUT` or `NOT_ALLOWED` for wishes that cannot be granted to any cell
 */
export function plan(
  spec: CellSpec,
  machine: MachineFacts,
  trees: readonly ProjectFacts[],
  trust: CellTrust | null = null,
  git: CellGit = plainGit,
): CellPlan {
  if (spec.command.length === 0) throw new PaddockError('BAD_INPUT', `${spec.name}: there is no command to run.`)
  if (!path.isAbsolute(spec.cwd))
    throw new PaddockError('BAD_INPUT', `${spec.name}: the working directory ${spec.cwd} is not an absolute path.`)
  const identity = {
    user: machine.user.uid === 0 || !/^[a-z_][a-z0-9_-]{0,31}$/.test(machine.user.name) ? 'agent' : machine.user.name,
    uid: machine.user.uid === 0 ? 1000 : machine.user.uid,
    gid: machine.user.uid === 0 ? 1000 : machine.user.gid,
    home: machine.user.home,
    hostname: 'paddock',
  }
  const limits = planLimits(spec.limits, machine, spec.defaultLimits)
  const isVisible = visibleInCell(spec, machine)
  const planned = masked(planFilesystem(spec, machine, trees, identity, limits, trust, git), spec.masks ?? [])
  const { cwd, egress } = spec
  const filesystem = spec.describesItself === true ? [...planned, ...cellFiles({ cwd, filesystem: planned, egress, limits })] : planned
  return {
    schemaVersion: 1,
    name: spec.name,
    posture: spec.posture ?? defaultPosture,
    backend: spec.backend ?? 'auto',
    command: spec.command,
    cwd: spec.cwd,
    identity,
    env: planEnvironment(spec, machine, identity, filesystem, trust, git),
    filesystem,
    prepare: (spec.homeFiles ?? []).map((each, index) => ({
      from: `${homeFilesDirectory}/${index}`,
      to: path.join(identity.home, each.path),
      overwrite: each.overwrite,
    })),
    egress: spec.egress,
    credentials: (spec.credentials ?? []).map(({ name, hosts, places }) => ({ name, hosts, places })),
    limits,
    publish: spec.publish ?? [],
    terminal: spec.terminal,
    trees: trees.map((each) => each.path),
    untrusted: spec.untrusted ?? [],
    degraded: spec.degraded,
    notInPath: (machine.system.notInCell ?? []).filter((each) => !isVisible(each)),
    notices: git.notices,
  }
}

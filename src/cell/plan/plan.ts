import path from 'node:path'
import type { CellCredential } from '../../egress/placeholder/credential.ts'
import type { EgressPolicy } from '../../egress/policy/policy.ts'
import { PaddockError } from '../../errors.ts'
import { cellFiles } from './cell-files.ts'
import { type CellGit, plainGit } from './cell-git.ts'
import type { CellTrust } from './certificates.ts'
import { planEnvironment } from './environment.ts'
import type { MachineFacts, ProjectFacts } from './facts.ts'
import { type FsEntry, homeFilesDirectory, planFilesystem } from './filesystem.ts'
import { type LimitPlan, planLimits } from './limits.ts'
import { masked } from './masks.ts'
import { visibleInCell } from './programs-in-cell.ts'
import type { CellSpec } from './spec.ts'

/** Every decision about one cell, as JSON. Independent of backends. `--dry-run` prints it; the audit log records its hash. */
export interface CellPlan {
  readonly schemaVersion: 1
  readonly name: string
  readonly command: readonly string[]
  readonly cwd: string
  readonly identity: { readonly user: string; readonly uid: number; readonly gid: number; readonly home: string; readonly hostname: string }
  readonly env: Readonly<Record<string, string>>
  /** Entries in mount order: a later entry covers an earlier one. */
  readonly filesystem: readonly FsEntry[]
  /** Files to copy inside the cell before the command starts, so that the host never writes where an agent may have put links. */
  readonly prepare: readonly { readonly from: string; readonly to: string; readonly overwrite: boolean }[]
  readonly egress: EgressPolicy
  /** The credentials that the gateway puts into requests, with their hosts and places. A plan contains no secrets or placeholders. */
  readonly credentials: readonly Pick<CellCredential, 'name' | 'hosts' | 'places'>[]
  readonly limits: LimitPlan
  readonly publish: readonly number[]
  readonly terminal: boolean
  /** The project and other trees that the cell may write to. Their files that run later are protected. */
  readonly trees: readonly string[]
  readonly degraded: readonly string[]
  /** Directories of the host's PATH that the cell does not have. */
  readonly notInPath: readonly string[]
  /** Sentences for the user about what differs in this cell. */
  readonly notices: readonly string[]
}

/**
 * Decides everything about a cell from wishes and facts. Pure: reads only its arguments.
 * @param trust required if the policy has inspected hosts.
 * @param git what the cell's git adopts from the user's. Default: nothing
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
    degraded: spec.degraded,
    notInPath: (machine.notInCell ?? []).filter((each) => !isVisible(each)),
    notices: git.notices,
  }
}

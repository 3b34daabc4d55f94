import { hostname } from 'node:os'
import { PaddockError } from '../../../base/errors.ts'
import { planLimits } from '../cell-limits.ts'
import { planEnvironment } from '../environment.ts'
import type { MachineFacts } from '../machine-facts.ts'
import type { CellPlan } from '../plan-schema.ts'
import type { CellSpec } from '../spec.ts'

/** Returns the spec of a command that is run on the bare host, with the user's own home, settings and logins. */
export function onBareHost({ masks: _, gitConfig: __, ...spec }: CellSpec): CellSpec {
  return { ...spec, mounts: [], files: [], homeFiles: [], describesItself: false, home: { kind: 'temporary' }, isBareHost: true }
}

/**
 * Returns the plan of a command on the bare host: its environment, its limits and nothing else.
 * @throws PaddockError `UNENFORCEABLE` for wishes that only a cell can grant
 */
export function planOnBareHost(spec: CellSpec, machine: MachineFacts): CellPlan {
  const { user } = machine
  if (spec.egress.mode !== 'open') refuse(`egress ${spec.egress.mode}`, 'Use --egress open')
  if ((spec.credentials ?? []).length > 0) refuse('a placeholder', 'Use --credentials snapshot, or leave the secret out')
  if ((spec.masks ?? []).length > 0) refuse('a mask', 'Leave it out')
  if (spec.projectCopy !== undefined) refuse('a copy of the project', 'Use --worktree')
  if ((spec.publish ?? []).length > 0) refuse('a published port', 'Leave it out; the ports are those of this machine')
  return {
    schemaVersion: 1,
    name: spec.name,
    posture: 'L0',
    backend: spec.backend ?? 'none',
    command: spec.command,
    cwd: spec.cwd,
    identity: { user: user.name, uid: user.uid, gid: user.gid, home: user.home, hostname: hostname() },
    env: planEnvironment(
      { ...spec, env: { PATH: [...spec.pathEntries, machine.env['PATH'] ?? ''].join(':'), ...spec.env } },
      machine,
      { home: user.home, user: user.name },
      [],
    ),
    filesystem: [],
    prepare: [],
    egress: spec.egress,
    credentials: [],
    limits: planLimits(spec.limits, machine, spec.defaultLimits),
    publish: [],
    terminal: spec.terminal,
    trees: [],
    untrusted: spec.untrusted ?? [],
    degraded: spec.degraded,
    notInPath: [],
    notices: [],
  }
}

function refuse(what: string, hint: string): void {
  throw new PaddockError('UNENFORCEABLE', `At L0, ${what} cannot be enforced.`, { hint })
}

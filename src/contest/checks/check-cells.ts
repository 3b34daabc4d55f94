import path from 'node:path'
import { ownNode } from '../../adapters/own-node.ts'
import type { CellSpec, MountWish } from '../../cell/plan/spec.ts'
import type { BasePlace } from '../../config/base-place.ts'
import type { Contest } from '../config/brief.ts'
import { placeOf } from '../config/contest-places.ts'
import type { CheckConfig } from '../config/contest-schema.ts'
import { clearPlaces, workspaceMounts } from '../config/contest-workspace.ts'
import { mountsWithin } from '../run/mounts-within.ts'

const defaultTimeoutMs = 60_000
/** The most bytes that a check may write, so that one submission cannot fill the disk of others that are checked at the same time. */
const maxDiskBytes = 2 * 1024 ** 3

type About = Pick<Contest, 'config' | 'layout' | 'root' | 'masks' | 'raw'> & { readonly base?: BasePlace | undefined }
type Command = string | readonly string[]

/**
 * Returns the cell for running a submission, or for a check that decides in the same cell. It starts in /submission or in the workspace.
 */
export async function submissionCell(
  contest: About,
  check: CheckConfig,
  { name, command, copy, out }: { readonly name: string; readonly command: Command; readonly copy: string; readonly out: MountWish },
): Promise<CellSpec> {
  const { workspace } = contest.config
  if (workspace !== undefined) await clearPlaces(workspace, copy)
  const mounts: MountWish[] =
    workspace === undefined
      ? [{ source: copy, target: '/submission', access: 'rw', reason: 'contest' }, out]
      : [...(await workspaceMounts(workspace, copy)), out]
  if (contest.raw !== null) mounts.push({ source: contest.raw, target: '/contest/raw', access: 'ro', reason: 'contest' })
  if (check.command !== undefined) mounts.push(...filesOf(contest, check.files, check.filesAt ?? '/check'))
  mounts.push(...filesOf(contest, check.inputs, '/inputs'))
  const spec = cell(contest, check, { name, command, cwd: workspace?.cwd ?? '/submission', mounts })
  return { ...spec, env: { ...workspace?.env } }
}

/**
 * Returns the cell that judges the result of a run. It never sees the submission. It does not start in /result, because interpreters load
 * code from their working directory.
 */
export function verifyCell(
  contest: About,
  check: CheckConfig,
  about: { readonly name: string; readonly command: Command; readonly result: string; readonly reward: string; readonly exit: string },
): CellSpec {
  const mounts: MountWish[] = [
    { source: about.result, target: '/result', access: 'ro', reason: 'contest' },
    { source: about.reward, target: check.rewardAt ?? '/reward', access: 'rw', reason: 'contest' },
    ...filesOf(contest, check.files, check.filesAt ?? '/check'),
    ...filesOf(contest, check.inputs, '/inputs'),
  ]
  const spec = cell(contest, check, { name: about.name, command: about.command, cwd: '/', mounts })
  return { ...spec, env: { PADDOCK_RUN_EXIT: about.exit } }
}

function filesOf({ layout }: About, files: string | undefined, target: string): MountWish[] {
  return files === undefined ? [] : [{ source: path.join(layout.root, files), target, access: 'ro', reason: 'contest' }]
}

function cell(
  { config, layout, root, masks, base }: About,
  check: CheckConfig,
  {
    name,
    command,
    cwd,
    mounts,
  }: { readonly name: string; readonly command: Command; readonly cwd: string; readonly mounts: readonly MountWish[] },
): CellSpec {
  return {
    name,
    command: typeof command === 'string' ? ['/bin/sh', '-c', command] : command,
    cwd,
    mounts: [...mountsWithin({ layout, root }, mounts), ownNode.mount],
    masks,
    files: [],
    home: { kind: 'temporary' },
    env: {},
    pathEntries: [ownNode.pathEntry],
    egress: { mode: 'off' },
    limits: { timeout: check.timeout ?? config.timeouts.check ?? defaultTimeoutMs, disk: maxDiskBytes },
    terminal: false,
    ...placeOf(config, check, base),
    degraded: [],
  }
}

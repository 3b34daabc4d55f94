import path from 'node:path'
import type { Family } from '../../adapters/adapter.ts'
import { ownNode } from '../../adapters/own-node.ts'
import type { Posture } from '../../base/posture.ts'
import type { MountWish } from '../../cell/plan/spec.ts'
import { readRequest } from '../../config/request/read-request.ts'
import { type PreparedRun, prepare } from '../../run/prepare-run.ts'
import type { RoleConfig } from '../config/contest-schema.ts'
import { familiesBehind } from '../config/sense.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { broughtMounts } from './brought-mounts.ts'
import { refuseUnreached } from './mcp-reach.ts'

/** A participant or judge that can start, with everything that its cell needs. */
export interface ReadyRole {
  readonly name: string
  readonly families: readonly Family[]
  readonly run: PreparedRun
  /** Mounts in addition to those that the agent itself needs. */
  readonly mounts: readonly MountWish[]
  readonly pathEntries: readonly string[]
}

/** The environment in which a participant or judge works. */
export interface RolePlace {
  /** The working directory, as an absolute path in the cell. */
  readonly cwd: string
  readonly contestRoot: string
  /** The timeout in milliseconds, unless the role sets its own. */
  readonly timeoutMs: number
}

/**
 * Finds the program, credential and network of a participant or judge before anything runs. `place` is the role's key in
 * contest.yaml. Throws AGENT_NOT_INSTALLED, LOGIN_NEEDED or BAD_INPUT, listing everything that is missing.
 */
export async function readyRole(config: RoleConfig, place: string, about: RolePlace, deps: ContestDeps): Promise<ReadyRole> {
  const request = readRequest(
    { agent: config.agent, ...(config.command === undefined ? {} : { command: config.command }) },
    config,
    (key, index) => ({ place: `${place}.${key}${index === undefined ? '' : `[${index}]`}`, from: 'caller' }),
  )
  const mcp = Object.entries(config.mcp ?? {}).map(([name, server]) => ({ name, ...server }))
  const run = await prepare(
    { ...request, limits: { timeout: about.timeoutMs, ...request.limits } },
    {
      cwd: about.cwd,
      place: `${place}: `,
      now: deps.now().getTime(),
      needsCredential: true,
      mayShowLogin: false,
      mcp,
      config: config.config ?? null,
      program: config.program?.replace(/^~(?=\/)/, deps.paths.userHome) ?? null,
    },
    deps,
  )
  refuseUnreached(mcp, run.egress, place)
  for (const each of run.notes) deps.progress({ type: 'warning', message: each })
  const isCommand = config.agent === 'command'
  const files: MountWish[] =
    config.files === undefined
      ? []
      : [{ source: path.join(about.contestRoot, config.files), target: '/agent', access: 'ro', reason: 'contest' }]
  return {
    name: config.name,
    families: familiesBehind(config, run.adapter),
    run,
    mounts: [
      ...(isCommand ? [ownNode.mount] : []),
      ...files,
      ...broughtMounts(config, run.adapter, { ...about, userHome: deps.paths.userHome }),
    ],
    pathEntries: isCommand ? [ownNode.pathEntry] : [],
  }
}

/** Returns the version of the program and the isolation level of the cell in the form of a status. */
export function factsOf({ run: { version, request } }: ReadyRole): { readonly version?: string; readonly posture: Posture } {
  return { ...(version === null ? {} : { version }), posture: request.posture }
}

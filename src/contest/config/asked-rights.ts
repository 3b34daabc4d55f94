import { hash } from 'node:crypto'
import path from 'node:path'
import { adapterFor, adapterNames } from '../../adapters/find-adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { keyText } from '../../config/key-path.ts'
import { type Ask, type AskedAgent, askedAgent, asksOf, reachAsksOf } from '../../run/run-asks.ts'
import type { Contest } from './brief.ts'
import type { AllBrought } from './brought.ts'
import { broughtAsks } from './brought-asks.ts'
import { postureAsks } from './contest-places.ts'
import type { ContestConfig, RoleConfig } from './contest-schema.ts'
import { roleKey } from './variants.ts'

/**
 * Returns the resources from outside the contest that a contest.yaml asks for (`src/run/run-asks.ts`). A cloned contest may ask for any of them.
 */
export function contestAsks(
  config: Pick<ContestConfig, 'participants' | 'judges' | 'workspace' | 'checks' | 'posture'>,
  brought: AllBrought,
): readonly Ask[] {
  const ofRoles = (['participants', 'judges'] as const).flatMap((group) =>
    config[group].flatMap((role, index) => {
      const place = keyText(roleKey(config, group, index))
      const bringing = group === 'judges' ? [] : broughtAsks(role, brought[role.name])
      return [...asksOf(role, agentOf(role)), ...bringing].map(({ key, value }) => ({ key: `${place}.${key}`, value }))
    }),
  )
  const asks = [...ofRoles, ...workspaceAsks(config), ...postureAsks(config)]
  const known = new Set(asks.map(textOf))
  return [...asks, ...reachAsks(config).filter((each) => !known.has(textOf(each)))]
}

/** Returns what the cells of a contest could send something of the user's to. */
export function reachAsks(config: Pick<ContestConfig, 'participants' | 'judges' | 'posture'>): readonly Ask[] {
  return (['participants', 'judges'] as const).flatMap((group) =>
    config[group].flatMap((role, index) => {
      const place = keyText(roleKey(config, group, index))
      return reachAsksOf({ ...role, posture: role.posture ?? config.posture }).map(({ key, value }) => ({ key: `${place}.${key}`, value }))
    }),
  )
}

const textOf = ({ key, value }: Ask): string => `${key} ${value}`

/** Returns the asks by the variables of the workspace, which all participants get. */
export function workspaceAsks({ participants, workspace }: Pick<ContestConfig, 'participants' | 'workspace'>): readonly Ask[] {
  const shared = Object.entries(workspace?.env ?? {}).map(([name, value]) => `${name}=${value}`)
  const asked = new Set(
    participants.flatMap((role) =>
      asksOf({ ...role, env: [...shared, ...(role.env ?? [])] }, agentOf(role)).flatMap(({ key, value }) => (key === 'env' ? [value] : [])),
    ),
  )
  return shared.filter((each) => asked.has(each)).map((value) => ({ key: 'workspace.env', value }))
}

/** Returns null for an unknown agent, which is reported when the contest starts. */
function agentOf({ agent, command = [] }: RoleConfig): AskedAgent | null {
  return adapterNames.includes(agent) ? askedAgent(adapterFor(agent, command)) : null
}

/** Returns the hash under which the user's consent is stored. It covers only these asks, not the rest of the file. */
export function asksHash(asks: readonly Ask[]): string {
  return hash('sha256', JSON.stringify(asks))
}

/** Returns whether the user has agreed to the asks of this file. */
export type IsTrusted = (file: string, sha256: string) => Promise<boolean>

/** Throws NOT_ALLOWED if the user has not agreed to the asks of a contest. */
export async function refuseUntrusted(
  { config, layout, brought }: Pick<Contest, 'config' | 'layout' | 'brought'>,
  isTrusted: IsTrusted,
): Promise<void> {
  const asks = contestAsks(config, brought)
  if (asks.length === 0 || (await isTrusted(layout.config, asksHash(asks)))) return
  const lines = asks.map(({ key, value }) => `${key} = ${value}`)
  throw new PaddockError('NOT_ALLOWED', `${path.basename(layout.config)} asks for things that need your trust:\n  ${lines.join('\n  ')}`, {
    hint: `If you agree to that: paddock contest trust ${shellWord(layout.root)}`,
  })
}

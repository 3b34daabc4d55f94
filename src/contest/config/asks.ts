import { hash } from 'node:crypto'
import path from 'node:path'
import { PaddockError } from '../../errors.ts'
import { shellWord } from '../../shell-word.ts'
import type { Contest } from './brief.ts'
import type { ContestConfig, RoleConfig } from './schema.ts'

/** A resource of the user, or of the user's network, that a contest.yaml asks for. */
export interface Ask {
  /** The key in contest.yaml, such as `participants[0].env`. */
  readonly key: string
  readonly value: string
}

/**
 * Returns the resources from outside the contest that a contest.yaml asks for: environment variables, secrets, tokens, a credential inside
 * a cell, a credential for a host that is not its vendor's, and addresses in the user's network. A cloned contest may ask for any of them.
 */
export function asksOf(config: Pick<ContestConfig, 'participants' | 'judges'>): readonly Ask[] {
  return (['participants', 'judges'] as const).flatMap((group) =>
    config[group].flatMap((role, index) => asksOfRole(role).map(({ key, value }) => ({ key: `${group}[${index}].${key}`, value }))),
  )
}

function asksOfRole({ agent, env = [], secrets = [], repos = [], credentials, baseUrl, egress = {} }: RoleConfig): Ask[] {
  const isInCell = credentials === 'snapshot' || credentials?.startsWith('volume') === true
  const usesCredential = agent !== 'command' && credentials !== 'none'
  const pins = [...(egress.allow ?? []), ...(egress.ask ?? []), ...(egress.inspect ?? [])].map(String).filter((each) => each.includes('='))
  const all = (key: string, values: readonly unknown[]): Ask[] => values.map((value) => ({ key, value: String(value) }))
  return [
    ...all(
      'env',
      env.filter((each) => !each.includes('=')),
    ),
    ...all('secrets', secrets),
    ...all('repos', repos),
    ...(isInCell ? all('credentials', [credentials]) : []),
    ...(baseUrl !== undefined && usesCredential ? all('baseUrl', [baseUrl]) : []),
    ...(egress.policy === 'open' ? all('egress.policy', ['open']) : []),
    ...all('egress', pins),
  ]
}

/** Returns the hash under which the user's consent is stored. It covers only these asks, not the rest of the file. */
export function asksHash(asks: readonly Ask[]): string {
  return hash('sha256', JSON.stringify(asks))
}

/** Returns whether the user has agreed to the asks of this file. */
export type IsTrusted = (file: string, sha256: string) => Promise<boolean>

/** Throws NOT_ALLOWED if the user has not agreed to the asks of a contest. */
export async function refuseUntrusted({ config, layout }: Pick<Contest, 'config' | 'layout'>, isTrusted: IsTrusted): Promise<void> {
  const asks = asksOf(config)
  if (asks.length === 0 || (await isTrusted(layout.config, asksHash(asks)))) return
  const lines = asks.map(({ key, value }) => `${key} = ${value}`)
  throw new PaddockError('NOT_ALLOWED', `${path.basename(layout.config)} asks for things that need your trust:\n  ${lines.join('\n  ')}`, {
    hint: `If you agree to that: paddock contest trust ${shellWord(layout.root)}`,
  })
}

import { PaddockError } from '../../errors.ts'
import { shellWord } from '../../shell-word.ts'
import { type Ask, asksHash, asksOf, type IsTrusted } from '../config/asks.ts'
import type { Suite } from './config/read-suite.ts'

/** What suite.yaml asks for of the user's. A brief.yaml cannot ask for anything. */
export function suiteAsks({ config }: Pick<Suite, 'config'>): readonly Ask[] {
  return asksOf(config.contest).map(({ key, value }) => ({ key: `contest.${key}`, value }))
}

/** Throws NOT_ALLOWED if a suite asks for something that the user did not agree to. */
export async function refuseUntrustedSuite(suite: Suite, isTrusted: IsTrusted): Promise<void> {
  const asks = suiteAsks(suite)
  if (asks.length === 0 || (await isTrusted(suite.layout.config, asksHash(asks)))) return
  const lines = asks.map(({ key, value }) => `${key} = ${value}`)
  throw new PaddockError('NOT_ALLOWED', `suite.yaml asks for what is yours:\n  ${lines.join('\n  ')}`, {
    hint: `If you agree to that: paddock suite trust ${shellWord(suite.layout.root)}`,
  })
}

/** Whether a contest of a trusted suite asks for what its suite.yaml asks for: a contest.yaml below runs/ may have come with the suite. */
export function trustedAsSuite({ config }: Suite): IsTrusted {
  const agreed = asksHash(asksOf(config.contest))
  return async (_, sha256) => sha256 === agreed
}

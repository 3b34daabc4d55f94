import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { trust, trustOf, trustStore } from '../../config/trust.ts'
import { PaddockError } from '../../errors.ts'
import type { Paths } from '../../paths.ts'
import type { Ask } from '../../run/asks.ts'
import { shellWord } from '../../shell-word.ts'
import { asksHash, contestAsks, type IsTrusted } from '../config/asks.ts'
import type { Suite } from './config/read-suite.ts'
import { runName, type SuiteRun } from './runs.ts'

/** Returns the user's resources that suite.yaml asks for. A brief.yaml cannot ask for any. */
export function suiteAsks({ config }: Pick<Suite, 'config'>): readonly Ask[] {
  return contestAsks(config.contest).map(({ key, value }) => ({ key: `contest.${key}`, value }))
}

/** Throws NOT_ALLOWED if a suite asks for something that the user has not agreed to. */
export async function refuseUntrustedSuite(suite: Suite, isTrusted: IsTrusted): Promise<void> {
  const asks = suiteAsks(suite)
  if (asks.length === 0 || (await isTrusted(suite.layout.config, asksHash(asks)))) return
  const lines = asks.map(({ key, value }) => `${key} = ${value}`)
  throw new PaddockError('NOT_ALLOWED', `suite.yaml asks for things that need your trust:\n  ${lines.join('\n  ')}`, {
    hint: `If you agree to that: paddock suite trust ${shellWord(suite.layout.root)}`,
  })
}

/**
 * Returns a test for whether a contest has the same asks as its trusted suite.yaml, because a contest.yaml in runs/ may have come with the
 * suite.
 */
export function trustedAsSuite({ config }: Suite): IsTrusted {
  const agreed = asksHash(contestAsks(config.contest))
  return async (_, sha256) => sha256 === agreed
}

/** Records that this user's suite wrote the contest of a run. Needed only if the suite has asks. */
export async function rememberRun(suite: Suite, { directory }: SuiteRun, paths: Paths): Promise<void> {
  if (suiteAsks(suite).length > 0) await trust(trustStore(paths), placeOf(directory), await hashIn(directory))
}

/**
 * Returns false if a contest may have come with the suite. Such a contest could have the same asks as suite.yaml and use them differently.
 */
export async function isOwnRun(suite: Suite, { directory }: SuiteRun, paths: Paths): Promise<boolean> {
  if (suiteAsks(suite).length === 0) return true
  return (await trustOf(trustStore(paths), placeOf(directory), await hashIn(directory))) === 'trusted'
}

/** Throws NOT_ALLOWED for a contest that would continue with a contest.yaml that the user did not agree to. */
export function refuseForeignRun(suite: Suite, run: SuiteRun): never {
  const command = `paddock suite run --fresh --only ${run.brief.name} ${shellWord(suite.layout.root)}`
  throw new PaddockError('NOT_ALLOWED', `The contest.yaml of ${runName(run)} is not what suite.yaml says, and was not written here.`, {
    hint: `To write and run it again: ${command}`,
  })
}

const placeOf = (directory: string): string => `${path.join(directory, 'contest.yaml')}#suite`
const hashIn = async (directory: string): Promise<string> =>
  hash('sha256', await readFile(path.join(directory, 'contest.yaml')).catch(() => ''))

import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import type { Paths } from '../../base/paths.ts'
import { shellWord } from '../../base/shell-word.ts'
import { trust, trustOf, trustStore } from '../../config/trusted-projects.ts'
import type { Ask } from '../../run/run-asks.ts'
import { asksHash, contestAsks, type IsTrusted, reachAsks, workspaceAsks } from '../config/asked-rights.ts'
import { postureAsks } from '../config/contest-places.ts'
import { type ContestConfig, contestSchema } from '../config/contest-schema.ts'
import type { Suite } from './config/read-suite.ts'
import { runName, type SuiteRun } from './runs.ts'

/** Returns what suite.yaml and the briefs ask for. A brief.yaml can ask only by its level, and what its cells then reach, and the variables of its workspace. */
export function suiteAsks({ config, briefs, brought }: Pick<Suite, 'config' | 'briefs' | 'brought'>): readonly Ask[] {
  const ofSuite = contestAsks(config.contest, brought)
  const known = new Set(ofSuite.map(({ key, value }) => `${key} ${value}`))
  const ofBriefs = contestsOf(briefs).flatMap(({ path: at, contest }) =>
    [...workspaceAsks(contest), ...postureAsks(contest), ...reachAsks(contest)].flatMap(({ key, value }) =>
      known.has(`${key} ${value}`) ? [] : [{ key: `${at}: ${key}`, value }],
    ),
  )
  return [...ofSuite.map(({ key, value }) => ({ key: `contest.${key}`, value })), ...ofBriefs]
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
 * Returns a test for whether a contest has the same asks as a brief of its trusted suite, because a contest.yaml in runs/ may have come with
 * the suite.
 */
export function trustedAsSuite({ config, briefs, brought }: Pick<Suite, 'config' | 'briefs' | 'brought'>): IsTrusted {
  const all = [config.contest, ...contestsOf(briefs).map(({ contest }) => contest)]
  const agreed = new Set(all.map((each) => asksHash(contestAsks(each, brought))))
  return async (_, sha256) => agreed.has(sha256)
}

function contestsOf(briefs: Suite['briefs']): readonly { readonly path: string; readonly contest: ContestConfig }[] {
  return briefs.flatMap(({ path: at, composed }) =>
    composed === null ? [] : [{ path: at, contest: contestSchema.parse(composed.contest) }],
  )
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

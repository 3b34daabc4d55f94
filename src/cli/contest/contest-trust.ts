import { resolvePaths } from '../../base/paths.ts'
import { trust, trustOf, trustStore } from '../../config/trusted-projects.ts'
import { asksHash, contestAsks } from '../../contest/config/asked-rights.ts'
import { readContest } from '../../contest/config/brief.ts'
import type { Ask } from '../../run/run-asks.ts'
import { noteEvent } from '../audit/note-event.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'

interface TrustOptions {
  readonly show?: boolean
}

/** `paddock contest trust`: trusts what contest.yaml asks for. With `show`, only prints what it asks for. */
export async function contestTrust(directory: string, options: TrustOptions): Promise<Answer<Result<'contest trust'>>> {
  const { config, layout, brought } = await readContest(directory)
  return await trustAsks(layout.config, contestAsks(config, brought), options)
}

/** Trusts what a contest.yaml or suite.yaml asks for. With `show`, only returns it. */
export async function trustAsks(
  file: string,
  asks: readonly Ask[],
  { show = false }: TrustOptions,
): Promise<Answer<Result<'contest trust'>>> {
  const paths = resolvePaths(process.env)
  const sha256 = asksHash(asks)
  const before = await trustOf(trustStore(paths), file, sha256)
  if (!show) {
    // Logged first: if the process is killed in between, the log reports a change that was not made, rather than missing one.
    noteEvent(paths, 'trust.given', { project: file, sha256, before })
    await trust(trustStore(paths), file, sha256)
  }
  const words = { trusted: 'it is trusted', changed: 'what it asks for has changed since you trusted it', unknown: 'it is not trusted' }
  return {
    data: { schemaVersion: 1, file, sha256, before, trust: show ? before : 'trusted', asksFor: asks },
    lines: [
      `${file} asks for ${asks.length === 0 ? 'nothing that needs your trust' : 'things that need your trust'}`,
      ...asks.map(({ key, value }) => `  ${key} = ${value}`),
    ],
    notes: [show ? words[before] : 'it is trusted; if it asks for anything else, it needs your trust again'],
  }
}

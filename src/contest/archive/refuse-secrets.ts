import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { scanTree } from '../../credentials/scan/scan-tree.ts'
import { findingText, inPlayRule, type ScanResult } from '../../credentials/scan/secret-finding.ts'
import { RuleThread } from '../../credentials/scan/secret-rules.ts'
import type { Contest } from '../config/brief.ts'
import { credentialsInPlay } from '../run/secrets-in-play.ts'
import { readSeal } from '../seal/read-seal.ts'
import { unseal } from '../seal/unseal.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import type { TakenFile } from './take-files.ts'

const mostShown = 20
/** An archive is for other people, so all of its text is searched, even if that takes long. */
const bounds = { ruleBytes: Number.MAX_SAFE_INTEGER, ms: 3_600_000, rulesMs: 3_600_000 }
const textMs = 60_000

/**
 * Throws NOT_ALLOWED if a file of the archive contains secrets or could not be searched. Sealed archives are unpacked first. Returns the files
 * that could not be searched, which is possible only if secrets are allowed.
 */
export async function refuseSecrets(
  { config, layout }: Contest,
  deps: Pick<ContestDeps, 'paths' | 'env'>,
  files: readonly TakenFile[],
  { copy, scratch }: { readonly copy: string; readonly scratch: string },
  allowed: boolean,
): Promise<ScanResult['notLooked']> {
  const inPlay = credentialsInPlay(config, deps)
  try {
    await using rules = new RuleThread(textMs)
    const results = [await scanTree(copy, { inPlay, bounds, rules, wanted: (file) => !file.endsWith('/out.tar') })]
    const unpacked = path.join(scratch, 'unpacked')
    for (const { path: file } of files) {
      const [, round, participant] = /^rounds\/(\d+)\/sealed\/([^/]+)\/out\.tar$/.exec(file) ?? []
      if (round === undefined || participant === undefined) continue
      const seal = await readSeal(layout, Number(round), participant)
      const to = path.join(unpacked, path.dirname(file))
      if (seal?.state === 'sealed') await unseal(layout.sealed(Number(round), participant), seal, to)
    }
    await mkdir(unpacked, { recursive: true })
    results.push(await scanTree(unpacked, { inPlay, bounds, rules }))
    const found = results.flatMap(({ findings }) => findings)
    const bad = allowed ? found.filter(({ rule }) => rule === inPlayRule) : found
    if (bad.length > 0) {
      const more = bad.length > mostShown ? `\n  and ${bad.length - mostShown} more` : ''
      const inUse = bad.every(({ rule }) => rule === inPlayRule)
      throw new PaddockError(
        'NOT_ALLOWED',
        `The archive would contain ${inUse ? 'credentials that were used' : 'what looks like secrets'}:\n  ${bad.slice(0, mostShown).map(findingText).join('\n  ')}${more}`,
        {
          hint: inUse
            ? 'Leave logs out, or replace the credential and remove its traces'
            : `If none of them is a secret: paddock contest archive --allow-secrets ${shellWord(layout.root)}`,
        },
      )
    }
    const notSearched = results.flatMap(({ notLooked }) => notLooked)
    if (notSearched.length === 0 || allowed) return notSearched
    const lines = notSearched.slice(0, mostShown).map(({ path: file, why }) => `\n  ${file} (${why})`)
    throw new PaddockError('NOT_ALLOWED', `The archive would contain files that could not be searched for secrets:${lines.join('')}`, {
      hint: `If they have no secrets: paddock contest archive --allow-secrets ${shellWord(layout.root)}`,
    })
  } finally {
    for (const each of inPlay) each.dispose()
  }
}

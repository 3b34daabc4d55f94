import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { scanTree } from '../../credentials/scan/scan-tree.ts'
import { findingText, inPlayRule, type ScanResult } from '../../credentials/scan/secret-finding.ts'
import type { Contest } from '../config/brief.ts'
import { credentialsInPlay } from '../run/secrets-in-play.ts'
import { readSeal } from '../seal/read-seal.ts'
import { unseal } from '../seal/unseal.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import type { TakenFile } from './take-files.ts'

const mostShown = 20

/**
 * Throws NOT_ALLOWED if a file of the archive contains secrets. Sealed archives are unpacked first. Returns the files that could not be
 * searched.
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
    const results = [await scanTree(copy, { inPlay, wanted: (file) => !file.endsWith('/out.tar') })]
    const unpacked = path.join(scratch, 'unpacked')
    for (const { path: file } of files) {
      const [, round, participant] = /^rounds\/(\d+)\/sealed\/([^/]+)\/out\.tar$/.exec(file) ?? []
      if (round === undefined || participant === undefined) continue
      const seal = await readSeal(layout, Number(round), participant)
      const to = path.join(unpacked, path.dirname(file))
      if (seal?.state === 'sealed') await unseal(layout.sealed(Number(round), participant), seal, to)
    }
    await mkdir(unpacked, { recursive: true })
    results.push(await scanTree(unpacked, { inPlay }))
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
    return results.flatMap(({ notLooked }) => notLooked)
  } finally {
    for (const each of inPlay) each.dispose()
  }
}

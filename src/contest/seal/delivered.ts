import { readFile } from 'node:fs/promises'
import { PaddockError } from '../../base/errors.ts'
import { NewerFile, parseStored } from '../../files/stored-json.ts'
import type { Contest } from '../config/brief.ts'
import type { ContestStatus, Journal } from '../state/contest-state.ts'
import { type Seal, sealSchema } from './seal-schema.ts'
import type { SealedPlace } from './unseal.ts'

/** A sealed submission that was delivered. */
export interface Submission {
  readonly participant: string
  readonly sealed: SealedPlace
  readonly seal: Seal
}

/** Returns the submissions that were delivered and sealed, in the order of contest.yaml. Throws FILES_FAILED if a seal cannot be read. */
export async function deliveredSubmissions({
  contest,
  journal,
}: {
  readonly contest: Pick<Contest, 'config' | 'layout'>
  readonly journal: Pick<Journal, 'participant'> & { readonly status: Pick<ContestStatus, 'round'> }
}): Promise<Submission[]> {
  const found: Submission[] = []
  for (const { name } of contest.config.participants) {
    const { state, outcome } = journal.participant(name)
    if ((state !== 'sealed' && state !== 'checked') || outcome?.kind !== 'delivered') continue
    const sealed = contest.layout.sealed(journal.status.round, name)
    try {
      found.push({ participant: name, sealed, seal: parseStored(sealed.seal, await readFile(sealed.seal, 'utf8'), sealSchema, 2) })
    } catch (error) {
      if (error instanceof NewerFile) throw error
      throw new PaddockError('FILES_FAILED', `${sealed.seal} cannot be read as a seal.`, {
        hint: 'Restore it, or start over with --fresh',
        cause: error,
      })
    }
  }
  return found
}

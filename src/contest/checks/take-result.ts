import path from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { sealSubmission } from '../seal/seal.ts'
import { unseal } from '../seal/unseal.ts'

/** The limits on the files that a run leaves for the verifying program. */
const resultBounds = { maxFiles: 1000, maxBytes: 64 * 1024 * 1024 }

/**
 * Copies the files that a run left in /result as a seal would, from `left` to `result`. Returns why that failed, else null. Errors here
 * count against the submission, because it may have filled the disk and could otherwise avoid the check. For the same reason, its files in
 * `copy` are removed first, and those in `left` before the program that decides starts.
 */
export async function takeResult(
  { copy, left, sealed, result }: { readonly copy: string; readonly left: string; readonly sealed: string; readonly result: string },
  { now, scratch }: { readonly now: Date; readonly scratch: string },
): Promise<string | null> {
  const target = {
    directory: sealed,
    archive: path.join(sealed, 'out.tar'),
    out: path.join(sealed, 'out'),
    seal: path.join(sealed, 'seal.json'),
  }
  try {
    await removeTree(copy)
    const seal = await sealSubmission(left, target, resultBounds, { attempt: 1, now, scratch })
    if (seal.state !== 'sealed') return seal.message
    await unseal(target, seal, result)
    await removeTree(left)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

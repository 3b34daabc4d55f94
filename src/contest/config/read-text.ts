import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { codeOf, PaddockError } from '../../base/errors.ts'
import { staysInside } from './refuse-linked-records.ts'

const maxTextBytes = 1024 * 1024

/**
 * Reads UTF-8 text of at most 1 MiB from a file that is in `root` after links are followed. If the file is missing, throws NOT_FOUND
 * with `missing`, or returns an empty text if `missing` is null. Throws BAD_INPUT for any other kind of file.
 */
export async function readText(root: string, file: string, missing: string | null, hint: string): Promise<string> {
  const name = path.basename(file)
  await mustStayInside(root, file)
  try {
    // A FIFO is refused immediately instead of blocking.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const facts = await handle.stat()
    if (!facts.isFile()) throw new PaddockError('BAD_INPUT', `${file} is not a file.`)
    if (facts.size > maxTextBytes) throw new PaddockError('BAD_INPUT', `${name} is larger than 1 MiB.`, { hint: 'Move data to raw/' })
    return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile())
  } catch (error) {
    if (error instanceof PaddockError) throw error
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      if (missing === null) return ''
      throw new PaddockError('NOT_FOUND', missing, { hint, cause: error })
    }
    if (error instanceof TypeError)
      throw new PaddockError('BAD_INPUT', `${name} is not UTF-8 text.`, { hint: 'Save it as UTF-8', cause: error })
    throw new PaddockError('BAD_INPUT', `${file} cannot be read (${code}).`, { cause: error })
  }
}

/** Throws BAD_INPUT if `file` leads out of `root`. A cloned contest can contain a link to any file, and agents would see its target. */
export async function mustStayInside(root: string, file: string): Promise<void> {
  if (await staysInside(root, file)) return
  throw new PaddockError('BAD_INPUT', `${file} is a link that leads out of the contest directory.`, {
    hint: `Put ${path.basename(file)} itself into ${root}`,
  })
}

import { closeSync, type Dirent } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { PaddockError } from '../../base/errors.ts'
import { printableName, utf8Text } from '../../base/text.ts'
import { openBelow } from '../../files/open-below.ts'
import { readRegular } from '../../files/read-regular.ts'

/** One entry of a directory that an agent writes. `size` is in bytes, or null if the entry is not a file. */
export interface Looked {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'link' | 'other'
  readonly size: number | null
  readonly modifiedAt: string | null
}

export type Look =
  | { readonly kind: 'directory'; readonly entries: readonly Looked[]; readonly truncated: boolean }
  /** `text` is null if the content is not UTF-8. */
  | { readonly kind: 'file'; readonly size: number; readonly text: string | null }

/** The most names shown of one directory, and the size in bytes of the largest file shown. */
const [mostEntries, mostBytes] = [2_000, 512 * 1024]

/**
 * Reads a directory or a file under `root`, whose content is not trusted: no link is followed, and only regular
 * files are read. `names`: the names on its path.
 * @throws PaddockError NOT_FOUND; BAD_INPUT for invalid names
 */
export async function lookInto(root: string, names: readonly string[]): Promise<Look> {
  if (names.some((each) => each === '' || each === '.' || each === '..' || /[/\0]/.test(each) || Buffer.byteLength(each) > 255))
    throw new PaddockError('BAD_INPUT', 'path: must be names with / between them.')
  const missing = (): PaddockError =>
    new PaddockError('NOT_FOUND', `There is no file or directory ${printableName(names.join('/'))} in its workspace.`)
  const above = opened(root, names.slice(0, -1))
  if (above === null) throw missing()
  try {
    const last = names.at(-1)
    if (last === undefined) return await directory(`/proc/self/fd/${above}`)
    const inside = opened(root, names)
    if (inside !== null)
      try {
        return await directory(`/proc/self/fd/${inside}`)
      } finally {
        closeSync(inside)
      }
    const read = await readRegular(`/proc/self/fd/${above}/${last}`, mostBytes)
    if (read.ok) return { kind: 'file', size: read.bytes.length, text: read.bytes.includes(0) ? null : utf8Text(read.bytes) }
    if (read.why === 'too-large')
      throw new PaddockError('BAD_INPUT', 'path: the file is larger than 512 KiB. Read it on the machine of the server.')
    throw missing()
  } finally {
    closeSync(above)
  }
}

/** Opens a directory. Null if it does not exist or is not a directory. */
function opened(root: string, names: readonly string[]): number | null {
  try {
    return openBelow(
      root,
      names.map((each) => Buffer.from(each)),
    )
  } catch {
    return null
  }
}

async function directory(place: string): Promise<Look> {
  const found: Dirent[] = []
  let truncated = false
  for await (const each of await opendir(place)) {
    if (found.length === mostEntries) {
      truncated = true
      break
    }
    found.push(each)
  }
  const entries = await Promise.all(
    found.map(async (each): Promise<Looked> => {
      const facts = await lstat(`${place}/${each.name}`).catch(() => null)
      const kind = each.isDirectory() ? 'directory' : each.isFile() ? 'file' : each.isSymbolicLink() ? 'link' : 'other'
      return {
        name: each.name,
        kind,
        size: kind === 'file' && facts !== null ? facts.size : null,
        modifiedAt: facts?.mtime.toISOString() ?? null,
      }
    }),
  )
  const rank = ({ kind }: Looked): number => (kind === 'directory' ? 0 : 1)
  return {
    kind: 'directory',
    entries: entries.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1)),
    truncated,
  }
}

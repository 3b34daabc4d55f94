import { objectId } from '../../plan/held/held-repository.ts'
import type { OwnRepository } from '../own-repository.ts'

/** One entry of a git tree. */
export interface TreeEntry {
  readonly name: string
  /** As in an index, for example 0o100644. */
  readonly mode: number
  readonly id: string
}

export type GitObject =
  | { readonly type: 'commit'; readonly tree: string; readonly parents: readonly string[] }
  | { readonly type: 'tree'; readonly entries: readonly TreeEntry[] }
  | { readonly type: 'blob'; readonly bytes: Buffer }

/**
 * Reads objects of a repository that a cell could write to. Git does not check the content of the objects that it reads, so the IDs are
 * computed again, and an object with another ID counts as missing.
 */
export class ObjectReader {
  readonly #own: OwnRepository
  readonly #known = new Map<string, GitObject | null>()

  constructor(own: OwnRepository) {
    this.#own = own
  }

  /** Returns the objects that exist, by ID. Rejects if git fails. */
  async read(ids: readonly string[]): Promise<ReadonlyMap<string, GitObject>> {
    const missing = [...new Set(ids)].filter((each) => !this.#known.has(each))
    if (missing.length > 0) {
      const output = await this.#own.run(['cat-file', '--batch'], { input: missing.map((each) => `${each}\n`).join('') })
      for (const each of missing) this.#known.set(each, null)
      for (const [id, object] of parseBatch(output)) this.#known.set(id, object)
    }
    return new Map(
      ids.flatMap((each) => {
        const found = this.#known.get(each)
        return found ? [[each, found] as const] : []
      }),
    )
  }
}

/** Returns the objects in the output of `git cat-file --batch` (git-cat-file(1)) whose bytes have the ID that git printed. */
export function parseBatch(output: Buffer): ReadonlyMap<string, GitObject> {
  const found = new Map<string, GitObject>()
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at)
    if (end < 0) break
    const [id = '', type = '', size = ''] = output.toString('latin1', at, end).split(' ')
    at = end + 1
    if (!/^\d+$/.test(size)) continue
    const bytes = output.subarray(at, at + Number(size))
    at += Number(size) + 1
    if ((type !== 'commit' && type !== 'tree' && type !== 'blob') || objectId(type, bytes, id.length) !== id) continue
    const object = objectOf(type, bytes, id.length / 2)
    if (object !== null) found.set(id, object)
  }
  return found
}

function objectOf(type: GitObject['type'], bytes: Buffer, idBytes: number): GitObject | null {
  if (type === 'blob') return { type, bytes }
  return type === 'tree' ? treeOf(bytes, idBytes) : commitOf(bytes)
}

/** Parents are only the lines directly after the tree. Git ignores such lines elsewhere (parse_commit_buffer in git's commit.c). */
function commitOf(bytes: Buffer): GitObject | null {
  const [, tree, lines = ''] = /^tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)/.exec(bytes.toString('latin1')) ?? []
  return tree === undefined ? null : { type: 'commit', tree, parents: [...lines.matchAll(/[0-9a-f]{40,}/g)].map(([id]) => id) }
}

function treeOf(bytes: Buffer, idBytes: number): GitObject | null {
  const entries: TreeEntry[] = []
  for (let at = 0; at < bytes.length; ) {
    const [space, nul] = [bytes.indexOf(32, at), bytes.indexOf(0, at)]
    if (space < at || nul < space || nul + 1 + idBytes > bytes.length) return null
    entries.push({
      mode: Number.parseInt(bytes.toString('latin1', at, space), 8),
      name: bytes.toString('utf8', space + 1, nul),
      id: bytes.toString('hex', nul + 1, nul + 1 + idBytes),
    })
    at = nul + 1 + idBytes
  }
  return { type: 'tree', entries }
}

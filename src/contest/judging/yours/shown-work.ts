import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { openDirectory, type Side } from '../../diff/side.ts'
import { type PackedWork, packShown, type ShownWork } from '../../seal/packed-work.ts'
import type { LaidWork } from '../lay-out-judging.ts'

/** Laid-out work with the label under which you see it. */
export interface LabelledWork extends Pick<LaidWork, 'directory' | 'changes'> {
  readonly label: string
}

export interface Packed {
  readonly work: PackedWork
  /** The name of the patch among the files of each submission; null: participants started with nothing, so there is no patch. */
  readonly changes: string | null
}

/** Packs laid-out work for a page. Directories are read only once, because they do not change. */
export class WorkPacker {
  readonly #sides = new Map<string, Promise<Side>>()

  async pack(works: readonly LabelledWork[]): Promise<Packed> {
    const sides = await Promise.all(works.map(({ directory }) => this.#side(directory)))
    const changes = works.some((each) => each.changes !== null) ? freeName(sides) : null
    const shown = await Promise.all(
      sides.map((side, index) => shownOf(works[index]?.label ?? '', side, changes, works[index]?.changes ?? null)),
    )
    return { work: await packShown(shown), changes }
  }

  #side(directory: string): Promise<Side> {
    const side = this.#sides.get(directory) ?? openDirectory(directory)
    this.#sides.set(directory, side)
    return side
  }
}

/** Returns a name that does not exist on any of these sides and sorts before all other names. */
function freeName(sides: readonly Side[]): string {
  let name = '(changes).diff'
  while (sides.some(({ files }) => files.has(name))) name = `(${name}`
  return name
}

/** Returns the files of one submission, with its patch as an additional file. */
async function shownOf(name: string, { files, read }: Side, changes: string | null, patch: string | null): Promise<ShownWork> {
  const bytes = patch === null ? Buffer.alloc(0) : await readFile(patch)
  const extra = changes === null ? [] : [{ path: changes, size: bytes.length, sha256: hash('sha256', bytes) }]
  const all = [...extra, ...[...files].map(([file, { size, sha256 }]) => ({ path: file, size, sha256 }))]
  return {
    name,
    files: all,
    async *contents(isWanted) {
      for (const file of all) if (isWanted(file)) yield { file, bytes: file.path === changes ? bytes : await read(file.path) }
    },
  }
}

import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { listed } from '../../base/text.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { usualDisk } from '../plan/cell-limits.ts'
import type { CellReport } from '../report.ts'
import type { KeptLink } from './kept-link.ts'
import { rootsOf } from './moved-spec.ts'
import type { TravellingSpec } from './place-wire.ts'
import { fetchTree, forgetTree, keepTree, type SentTree, sendTree } from './sent-trees.ts'
import { CannotTravel } from './tree-manifest.ts'

/** The trees of one cell of another machine: they are sent before it starts, and what it has written comes back after its end. */
export class CarriedTrees {
  readonly sent: readonly SentTree[]
  readonly #link: KeptLink
  readonly #writable: ReadonlySet<string>
  readonly #scratch: string
  readonly #growth: number

  private constructor(link: KeptLink, sent: readonly SentTree[], writable: ReadonlySet<string>, scratch: string, growth: number) {
    this.#link = link
    this.sent = sent
    this.#writable = writable
    this.#scratch = scratch
    this.#growth = growth
  }

  /**
   * Sends the trees that a cell sees.
   * @param scratch absolute path of a directory for contents on their way back.
   * @throws PaddockError BAD_INPUT for a tree that cannot travel, UNENFORCEABLE for a cell that cannot run there
   */
  static async send(link: KeptLink, spec: TravellingSpec, scratch: string): Promise<CarriedTrees> {
    const roots = rootsOf(spec)
    const sent: SentTree[] = []
    const masks = (spec.masks ?? []).map((each) => each.source)
    const writable = new Set(roots.filter((each) => each.isWritable).map((each) => each.path))
    const trees = new CarriedTrees(link, sent, writable, path.join(scratch, randomBytes(8).toString('hex')), growthOf(spec))
    try {
      for (const root of roots) {
        const tree = await link.over((session) => sendTree(session, root.path, { masks }))
        sent.push(tree)
        // What comes back into a directory could be anything in it.
        if (tree.file !== '' && root.isWritable)
          throw new PaddockError('UNENFORCEABLE', `${root.path} is a single file that a cell on another machine would write.`, {
            hint: 'Show it read-only, or show its directory',
          })
      }
      return trees
    } catch (error) {
      const root = roots[sent.length]?.path ?? ''
      await trees.forget()
      if (!(error instanceof CannotTravel)) throw error
      throw new PaddockError('BAD_INPUT', `${root} cannot be sent to another machine: it ${error.message}.`, { cause: error })
    }
  }

  /**
   * Writes what the cell has changed, after its end. If that is not possible, the report says so.
   * @param isLost true: nobody waits for the cell any more, and nothing is written.
   */
  async broughtBack(done: Promise<CellReport>, isLost: () => boolean): Promise<CellReport> {
    const report = await done
    const open = isLost() ? [] : this.sent.filter((each) => this.#writable.has(each.root))
    try {
      for (const each of open) await this.#bringBack(each)
      return report
    } catch (error) {
      const places = await Promise.all(open.map((each) => this.#keep(each)))
      const kept = places.filter((each) => each !== null)
      const where = kept.length === 0 ? '' : `; it is kept there, in ${listed(kept, 4)}`
      const why = error instanceof CannotTravel ? `it ${error.message}` : messageOf(error)
      const message = `What the cell has written could not be brought back from the other machine: ${why}${where}`
      return { ...report, ending: { kind: 'start-failed', message } }
    } finally {
      await this.forget()
    }
  }

  async #bringBack(tree: SentTree): Promise<void> {
    const fetched = await this.#link.over((session) => fetchTree(session, tree, this.#scratch, this.#growth))
    await fetched.writeInto(tree.root)
  }

  /** Returns where the other side keeps what is in a tree; null: it does not. */
  async #keep(tree: SentTree): Promise<string | null> {
    if (!this.#link.isOpen) return null
    return this.#link.over((session) => keepTree(session, tree)).catch(() => null)
  }

  /** Removes the trees at the other side. */
  async forget(): Promise<void> {
    await removeTree(this.#scratch)
    if (!this.#link.isOpen) return
    const session = await this.#link.session()
    await Promise.all(this.sent.map((each) => forgetTree(session, each).catch(() => undefined)))
  }
}

/** Returns by how many bytes a cell may let its trees grow, which the other machine should have enforced. */
function growthOf({ limits }: TravellingSpec): number {
  return limits.disk === null ? Number.POSITIVE_INFINITY : (limits.disk ?? usualDisk)
}

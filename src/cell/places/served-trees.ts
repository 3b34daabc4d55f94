import { randomBytes } from 'node:crypto'
import { mkdirSync, renameSync } from 'node:fs'
import type { ServerHttp2Stream } from 'node:http2'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { removeTree } from '../../files/remove-tree.ts'
import { walk } from '../../files/walk.ts'
import { blobsIn, packOf } from './blob-pack.ts'
import { BlobStore } from './blob-store.ts'
import { answer, refuse, send } from './place-answers.ts'
import { linesOf, treeBounds } from './place-wire.ts'
import { contentsOf, filesByHash } from './tree-contents.ts'
import { CannotTravel, differenceOf, manifestOf, readManifest, type TreeEntry } from './tree-manifest.ts'
import { TreeStamps, tickMs } from './tree-stamps.ts'
import { writeTree } from './write-tree.ts'

/** Bytes of contents that are kept for trees to come. */
const keptBytes = 4 * 1024 ** 3

interface ServedTree {
  readonly directory: string
  /** What home sent. */
  readonly sent: readonly TreeEntry[]
  readonly stamps: TreeStamps
  isWritten: boolean
  /** Paths of files by their hash, when home last asked what has changed. */
  files: ReadonlyMap<string, string>
}

/**
 * The trees that one home has sent to this machine, each in a directory of its own. Home sends the entries of a tree, then the contents
 * that are missing here; after a cell it asks what has changed, and then for contents that it does not have.
 */
export class ServedTrees {
  readonly #directory: string
  readonly #blobs: BlobStore
  readonly #trees = new Map<string, ServedTree>()

  /** @param directory absolute path of a directory of this user, which is made if it is missing. */
  constructor(directory: string) {
    this.#directory = directory
    this.#blobs = new BlobStore(path.join(directory, 'blobs'))
  }

  /**
   * Serves a stream whose path begins with `/trees`. `parts`: what follows it.
   * @param onOpen called with the id of a tree that is new.
   */
  take(stream: ServerHttp2Stream, [id = '', operation = '']: readonly string[], onOpen: (id: string) => void = () => undefined): void {
    if (id === '') return void answer(stream, () => this.#open(stream, onOpen))
    const tree = this.#trees.get(id)
    if (tree === undefined) refuse(stream, 404)
    else if (operation === 'contents') void this.#contents(stream, tree)
    else if (operation === 'fill') void answer(stream, () => this.#fill(stream, tree))
    else if (operation === 'changes') void answer(stream, () => changesOf(tree))
    else if (operation === 'keep') void answer(stream, () => this.#keep(id, tree))
    else if (operation === 'remove') void answer(stream, () => this.remove(id))
    else refuse(stream, 404)
  }

  /** Returns the directory of a tree that is written; undefined for an unknown one. */
  directoryOf(id: string): string | undefined {
    const tree = this.#trees.get(id)
    return tree?.isWritten === true ? tree.directory : undefined
  }

  /** Removes a tree, and contents that were not used for long. */
  async remove(id: string): Promise<void> {
    const tree = this.#trees.get(id)
    this.#trees.delete(id)
    if (tree !== undefined) await removeTree(tree.directory)
    this.#blobs.shrink(keptBytes)
  }

  /** Moves a tree to where it stays until the user removes it. Returns its absolute path. */
  async #keep(id: string, { directory }: ServedTree): Promise<string> {
    const kept = path.join(this.#directory, 'kept', id)
    mkdirSync(path.dirname(kept), { recursive: true, mode: 0o700 })
    renameSync(directory, kept)
    this.#trees.delete(id)
    return kept
  }

  async removeAll(): Promise<void> {
    await Promise.all([...this.#trees.keys()].map((each) => this.remove(each)))
  }

  async #open(
    stream: ServerHttp2Stream,
    onOpen: (id: string) => void,
  ): Promise<{ readonly tree: string; readonly missing: readonly string[] }> {
    const read: unknown[] = []
    for await (const line of linesOf(stream)) {
      if (read.length >= treeBounds.maxEntries) throw new CannotTravel(`has more than ${treeBounds.maxEntries} files`)
      read.push(JSON.parse(line))
    }
    const sent = readManifest(read, treeBounds)
    const id = randomBytes(8).toString('hex')
    const directory = path.join(this.#directory, 'trees', id)
    this.#trees.set(id, { directory, sent, stamps: new TreeStamps(), isWritten: false, files: new Map() })
    onOpen(id)
    const hashes = new Set(sent.flatMap(({ kind, hash }) => (kind === 'file' ? [hash] : [])))
    return { tree: id, missing: [...hashes].filter((each) => !this.#blobs.has(each)) }
  }

  async #fill(stream: ServerHttp2Stream, tree: ServedTree): Promise<void> {
    if (tree.isWritten) throw new CannotTravel('was sent before')
    const wanted = new Map(tree.sent.map(({ hash, size }) => [hash, size]))
    for await (const blob of blobsIn(stream)) {
      if (wanted.get(blob.hash) !== blob.size) throw new CannotTravel('comes with a content that is not its own')
      await this.#blobs.put(blob)
    }
    mkdirSync(tree.directory, { recursive: true, mode: 0o700 })
    await writeTree(tree.directory, { changed: tree.sent, gone: [] }, (hash) => this.#blobs.read(hash))
    // Changes of the cell get later times than these.
    await setTimeout(2 * tickMs)
    await noteFiles(tree)
    tree.isWritten = true
  }

  async #contents(stream: ServerHttp2Stream, tree: ServedTree): Promise<void> {
    let wanted: readonly string[]
    try {
      wanted = JSON.parse(await text(stream)) as readonly string[]
    } catch {
      return refuse(stream, 400)
    }
    send(stream, packOf(contentsOf(tree.directory, tree.files, wanted)))
  }
}

async function noteFiles({ directory, sent, stamps }: ServedTree): Promise<void> {
  const hashes = new Map(sent.map(({ path: at, hash }) => [at, hash]))
  const now = Date.now()
  for await (const each of walk(directory, { maxEntries: treeBounds.maxEntries, maxDepth: 200 })) {
    const at = each.names.map((name) => name.toString('latin1')).join('/')
    const [hash, stat] = [hashes.get(at), each.kind === 'file' ? each.lstat() : null]
    if (hash !== undefined && stat !== null) stamps.note(at, stat, hash, now)
  }
}

async function changesOf(tree: ServedTree): Promise<unknown> {
  const { entries, left, hardLinked } = await manifestOf(tree.directory, treeBounds, tree.stamps)
  tree.files = filesByHash(entries)
  return { ...differenceOf(tree.sent, entries), left, hardLinked }
}

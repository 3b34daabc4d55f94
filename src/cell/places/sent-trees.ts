import { realpathSync, statSync } from 'node:fs'
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import path from 'node:path'
import { Readable } from 'node:stream'
import * as z from 'zod'
import { type Blob, blobsIn, packOf } from './blob-pack.ts'
import { BlobStore } from './blob-store.ts'
import { bodyOf, cutStream, request, responseOf, textOf } from './place-link.ts'
import { longestTree, treeBounds } from './place-wire.ts'
import { drained } from './spool.ts'
import { travellingEntries } from './travelling-entries.ts'
import { contentsOf, filesByHash } from './tree-contents.ts'
import {
  afterDifference,
  CannotTravel,
  differenceOf,
  manifestHash,
  manifestOf,
  manifestOfFile,
  type TreeDifference,
  type TreeEntry,
} from './tree-manifest.ts'
import type { TreeStamps } from './tree-stamps.ts'
import { writeTree } from './write-tree.ts'

/** A tree of this machine that another one has. */
export interface SentTree {
  /** The name of the tree there. */
  readonly id: string
  /** Absolute path of a directory, or of a file, whose tree has nothing else. */
  readonly root: string
  /** The name of the file in the tree; empty for a directory. */
  readonly file: string
  readonly entries: readonly TreeEntry[]
  /** The SHA-256 of its manifest. */
  readonly hash: string
  /** Paths of sockets, FIFOs and devices, which did not travel. */
  readonly left: readonly string[]
  /** Number of files with several names, each of which travelled as a file of its own. */
  readonly hardLinked: number
}

const opened = z.strictObject({ tree: z.string().regex(/^[0-9a-f]{16}$/), missing: z.array(z.string()) })
const changes = z.looseObject({ left: z.array(z.string()), hardLinked: z.int() })

/**
 * Sends a tree to the other side of a link, which asks for the contents that it does not have.
 * @param root absolute path of a directory without links in it, or of a file.
 * @param stamps files whose hashes are known.
 * @param masks absolute paths whose content does not travel.
 * @throws CannotTravel if it is too large, cannot be read, or changes meanwhile
 */
export async function sendTree(
  session: ClientHttp2Session,
  root: string,
  { stamps, masks = [] }: { readonly stamps?: TreeStamps; readonly masks?: readonly string[] } = {},
): Promise<SentTree> {
  const isFile = statSync(root).isFile()
  const real = isFile ? realpathSync(root) : root
  const directory = isFile ? path.dirname(real) : root
  const { left, hardLinked, ...found } = isFile
    ? await manifestOfFile(real, treeBounds)
    : await manifestOf(root, treeBounds, ...(stamps === undefined ? [] : [stamps]))
  const { entries, contents } = travellingEntries(directory, found.entries, masks)
  const { tree: id, missing } = opened.parse(await ask(session, '/trees', linesWith(entries)))
  const files = filesByHash(entries)
  const inFiles = missing.filter((each) => !contents.has(each))
  const made = missing.flatMap((each) => blobOf(each, contents.get(each)))
  await ask(session, `/trees/${id}/fill`, packOf(inTurn(made, contentsOf(directory, files, inFiles))))
  return { id, root, file: isFile ? path.basename(real) : '', entries, hash: manifestHash({ entries }), left, hardLinked }
}

function blobOf(hash: string, content: Buffer | undefined): readonly Blob[] {
  if (content === undefined) return []
  return [{ hash, size: content.length, bytes: Readable.from([content]) }]
}

async function* inTurn(first: Iterable<Blob>, then: AsyncIterable<Blob>): AsyncGenerator<Blob> {
  yield* first
  yield* then
}

/** What a tree has become at the other side. */
export interface FetchedTree {
  readonly difference: TreeDifference
  /** Writes it into a directory (absolute path) that contains the tree as it was sent. */
  writeInto(directory: string): Promise<void>
}

/**
 * Fetches what a tree has become at the other side: nothing but entries and contents that differ from what was sent, all of them checked.
 * @param scratch absolute path of a directory for contents on their way, which the caller removes.
 * @param growth bytes by which a tree can have grown.
 * @throws CannotTravel if the other side sends something else than a tree, or more than that
 */
export async function fetchTree(
  session: ClientHttp2Session,
  sent: SentTree,
  scratch: string,
  growth: number = Number.POSITIVE_INFINITY,
): Promise<FetchedTree> {
  const said = await ask(session, `/trees/${sent.id}/changes`)
  const { left, hardLinked, ...given } = changes.parse(said)
  const after = afterDifference(sent.entries, given, treeBounds)
  const difference = differenceOf(sent.entries, after)
  if (bytesOf(difference.changed) > bytesOf(sent.entries) + growth) throw new CannotTravel('comes back with more than the cell may write')
  const wanted = new Map(difference.changed.flatMap(({ kind, hash, size }) => (kind === 'file' ? [[hash, size] as const] : [])))
  const blobs = new BlobStore(scratch)
  const stream = request(session, `/trees/${sent.id}/contents`)
  const [response, body] = [responseOf(stream), bodyOf(stream)]
  stream.end(JSON.stringify([...wanted.keys()]))
  if ((await response)[':status'] !== 200) throw new CannotTravel('has contents that the other machine does not send')
  for await (const blob of blobsIn(body)) {
    if (wanted.get(blob.hash) !== blob.size) throw new CannotTravel('comes with a content that nobody asked for')
    await blobs.put(blob)
    wanted.delete(blob.hash)
  }
  if (wanted.size > 0) throw new CannotTravel('comes back without all of its contents')
  return { difference, writeInto: (directory) => writeTree(directory, difference, (hash) => blobs.read(hash)) }
}

function bytesOf(entries: readonly TreeEntry[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0)
}

/** Lets the other side keep a tree for the user. Returns its absolute path there. */
export async function keepTree(session: ClientHttp2Session, { id }: SentTree): Promise<string> {
  return z
    .string()
    .startsWith('/')
    .parse(await ask(session, `/trees/${id}/keep`))
}

/** Removes a tree at the other side. */
export async function forgetTree(session: ClientHttp2Session, { id }: SentTree): Promise<void> {
  await ask(session, `/trees/${id}/remove`)
}

function* linesWith(entries: readonly TreeEntry[]): Generator<Buffer> {
  for (const each of entries) yield Buffer.from(`${JSON.stringify(each)}\n`)
}

/** Returns the value with which the other side answers. It may answer before it has read everything, if it refuses. */
async function ask(session: ClientHttp2Session, about: string, body: Iterable<Buffer> | AsyncIterable<Buffer> = []): Promise<unknown> {
  const stream = request(session, about)
  const [response, said] = [responseOf(stream), bodyOf(stream)]
  write(stream, body).catch((error) => stream.destroy(error))
  const { ':status': status } = await response
  const answer = JSON.parse(await textOf(said, longestTree)) as { readonly value?: unknown; readonly message?: unknown }
  if (status === 200) return answer.value
  cutStream(stream)
  throw new CannotTravel(typeof answer.message === 'string' ? answer.message.slice(0, 1_000) : 'is refused by the other machine')
}

/** Writes a body until the stream ends, which may be before the body does. */
async function write(stream: ClientHttp2Stream, body: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
  for await (const part of body) {
    if (stream.destroyed) return
    if (!stream.write(part)) await drained(stream)
  }
  stream.end()
}

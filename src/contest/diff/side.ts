import { createHash, hash } from 'node:crypto'
import { closeSync, constants, fstatSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { utf8Text } from '../../base/text.ts'
import { Pause } from '../../files/pause-between.ts'
import { readRegular } from '../../files/read-regular.ts'
import { WalkTooLarge, walk } from '../../files/walk.ts'
import type { Layout } from '../config/contest-layout.ts'
import { contentAt, offsetsOf } from '../seal/read-contents.ts'
import { readSeal } from '../seal/read-seal.ts'

/** One file of a compared tree. */
export interface SideFile {
  readonly sha256: string
  readonly size: number
  readonly executable: boolean
}

/** A compared tree. */
export interface Side extends AsyncDisposable {
  /** The name of the tree, such as `alice@2` or `base`. */
  readonly name: string
  readonly files: ReadonlyMap<string, SideFile>
  /** Returns the bytes of a file; null if they differ from the recorded ones. */
  read(file: string): Promise<Buffer | null>
}

/** The context for opening a side. `round` is the default round. */
export interface SideContext {
  readonly layout: Layout
  /** The directory that participants started with, else raw/; null: there is neither. */
  readonly given: string | null
  readonly round: number
  readonly participants: readonly string[]
}

const mostEntries = 500_000
const maxDepth = 64
const chunk = 1024 * 1024

/**
 * Opens one side of `contest diff`: `NAME` (the newest round), `NAME@ROUND`, or `base` (the files that participants started with, else
 * raw/).
 * @throws PaddockError NOT_FOUND if the work was never sealed, BAD_INPUT for any other argument
 */
export async function openSide(word: string, context: SideContext): Promise<Side> {
  if (word === 'base') return await openBase(context)
  const [, participant = '', at] = /^([^@]+)(?:@([1-9]\d{0,8}))?$/.exec(word) ?? []
  if (participant === '')
    throw new PaddockError('BAD_INPUT', `${word} names no tree of this contest.`, {
      hint: 'Name a participant (alice), one in a round (alice@2), or base',
    })
  const round = at === undefined ? context.round : Number(at)
  const { layout, participants } = context
  const seal = /^[a-z0-9-]+$/.test(participant) ? await readSeal(layout, round, participant) : null
  if (seal === null) {
    const near = participants.includes(participant) ? null : nearest(participant, [...participants, 'base'])
    throw new PaddockError('NOT_FOUND', `Nothing of ${participant} is sealed in round ${round}.`, {
      hint:
        near === null ? `The participants are ${participants.join(', ')}; the newest round is ${context.round}` : `Did you mean ${near}?`,
    })
  }
  if (seal.state !== 'sealed')
    throw new PaddockError('NOT_FOUND', `The work of ${participant} in round ${round} was not accepted: ${seal.message}`)
  const { archive, out } = layout.sealed(round, participant)
  const files = new Map(seal.files.map((each) => [each.path, { ...each, executable: each.mode === '0755' }]))
  const name = `${participant}@${round}`
  if (seal.schemaVersion === 1) return { name, files, read: readBelow(out, files), [Symbol.asyncDispose]: async () => {} }
  const handle = await open(archive, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const offsets = offsetsOf(seal.files)
  return {
    name,
    files,
    async read(file) {
      const [one, offset] = [files.get(file), offsets.get(file)]
      return one === undefined || offset === undefined ? null : await contentAt(handle, offset, one)
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

async function openBase({ given, layout }: SideContext): Promise<Side> {
  if (given === null)
    throw new PaddockError('NOT_FOUND', `There is no ${layout.raw} that base could mean.`, { hint: 'Compare two participants' })
  return await openDirectory(given)
}

/** Opens a directory with the files that a seal would keep: regular files with UTF-8 names. No link is followed. */
export async function openDirectory(root: string): Promise<Side> {
  const files = new Map<string, SideFile>()
  const pause = new Pause()
  try {
    for await (const entry of walk(root, { maxEntries: mostEntries, maxDepth })) {
      const name = utf8Text(Buffer.from(entry.names.map((each) => each.toString('latin1')).join('/'), 'latin1'))
      if (entry.kind !== 'file' || name === null) continue
      const descriptor = entry.open()
      try {
        const facts = fstatSync(descriptor)
        if (facts.isFile()) files.set(name, { ...(await hashed(descriptor, pause)), executable: (facts.mode & 0o111) !== 0 })
      } finally {
        closeSync(descriptor)
      }
    }
  } catch (error) {
    if (error instanceof WalkTooLarge) throw new PaddockError('BAD_INPUT', `${root} has more than ${mostEntries} entries.`)
    throw error
  }
  return { name: 'base', files, read: readBelow(root, files), [Symbol.asyncDispose]: async () => {} }
}

async function hashed(descriptor: number, pause: Pause): Promise<Pick<SideFile, 'sha256' | 'size'>> {
  const digest = createHash('sha256')
  const buffer = Buffer.allocUnsafe(chunk)
  let size = 0
  for (let read = readSync(descriptor, buffer, 0, chunk, null); read > 0; read = readSync(descriptor, buffer, 0, chunk, null)) {
    digest.update(buffer.subarray(0, read))
    size += read
    await pause.now()
  }
  return { sha256: digest.digest('hex'), size }
}

/** Returns a reader for files of a directory. It returns null for bytes that differ from the recorded ones. */
function readBelow(root: string, files: Side['files']): Side['read'] {
  return async (file) => {
    const one = files.get(file)
    const found = one === undefined ? null : await readRegular(path.join(root, file), one.size)
    return found?.ok === true && hash('sha256', found.bytes) === one?.sha256 ? found.bytes : null
  }
}

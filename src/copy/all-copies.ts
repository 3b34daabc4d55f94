import { existsSync, lstatSync, readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { codeOf, messageOf, PaddockError } from '../base/errors.ts'
import { removeLater } from '../files/remove-later.ts'
import { removeTree } from '../files/remove-tree.ts'
import { isRunning } from '../system/process-identity.ts'
import { processesWith } from '../system/process-tree.ts'
import { CopyPlace, type CopyRecord, lookAtRecord, readRecord } from './copy-record.ts'

const idPattern = /^[0-9a-f]{8}$/
/** The suffix of the directory of a copy that is being deleted. */
const going = '.going'
/** The size in bytes of a copy's file list from which the copy counts as large, which is some thousand files. */
const largeFrom = 1_000_000
/** How long an empty directory may be a copy that has just been started, in milliseconds. */
const begunMs = 3_600_000

/** A copy that cannot be used, but may contain work. */
export interface UnreadableCopy {
  readonly place: CopyPlace
  readonly why: string
}

export interface AllCopies {
  /** Complete copies, newest first. */
  readonly copies: readonly { readonly place: CopyPlace; readonly record: CopyRecord }[]
  readonly unreadable: readonly UnreadableCopy[]
}

/** Returns all copies. Throws `FILES_FAILED` if the directory of the copies cannot be read. */
export async function listCopies(copies: string): Promise<AllCopies> {
  const found: { place: CopyPlace; record: CopyRecord }[] = []
  const unreadable: UnreadableCopy[] = []
  for (const id of namesIn(copies).filter((each) => idPattern.test(each))) {
    const place = new CopyPlace(copies, id)
    const record = await lookAtRecord(place)
    if (typeof record !== 'string') {
      if (record.state === 'ready') found.push({ place, record })
    } else if (existsSync(place.record) || existsSync(place.tree)) unreadable.push({ place, why: record })
  }
  return { copies: found.sort((a, b) => (a.record.created < b.record.created ? 1 : -1)), unreadable }
}

/**
 * Deletes a copy. It is renamed first, so that a half-deleted copy is not mistaken for a complete one. A large copy is deleted in the
 * background, because unlinking 100,000 files takes many times longer than the user's command.
 */
export async function removeCopy(place: CopyPlace): Promise<void> {
  const away = place.directory + going
  const isLarge = (lstatSync(place.base, { throwIfNoEntry: false })?.size ?? 0) > largeFrom
  try {
    renameSync(place.directory, away)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (isLarge && removeLater(away)) return
  await removeTree(away)
}

/** Returns what was left behind by a Paddock that was killed while it made or deleted a copy. */
export async function leftCopies(copies: string): Promise<readonly string[]> {
  const left: string[] = []
  for (const name of namesIn(copies)) {
    const directory = path.join(copies, name)
    if (name.endsWith(going) && idPattern.test(name.slice(0, -going.length))) {
      if (processesWith('cmdline', directory).length === 0) left.push(directory)
    } else if (idPattern.test(name) && (await isHalfMade(new CopyPlace(copies, name)))) left.push(directory)
  }
  return left
}

export async function removeHalfMade(copies: string): Promise<void> {
  for (const each of await leftCopies(copies)) await removeTree(each)
}

async function isHalfMade(place: CopyPlace): Promise<boolean> {
  const record = await readRecord(place)
  if (record !== null) return record.state === 'making' && (record.maker === null || !(await isRunning(record.maker)))
  if (existsSync(place.record) || existsSync(place.tree)) return false
  const facts = lstatSync(place.directory, { throwIfNoEntry: false })
  return facts !== undefined && Date.now() - facts.mtimeMs > begunMs
}

function namesIn(copies: string): readonly string[] {
  try {
    return readdirSync(copies)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw new PaddockError('FILES_FAILED', `The copies cannot be read: ${messageOf(error)}.`, {
      hint: `Give yourself permission to read ${copies}`,
      cause: error,
    })
  }
}

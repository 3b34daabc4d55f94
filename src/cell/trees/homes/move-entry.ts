import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
} from 'node:fs'
import { openBelow } from '../../../files/open-below.ts'
import { letOwnerRead, openToOwner } from '../../../files/owner-access.ts'

/** A place of an entry: a path below a directory, in which each character is one byte (latin1). */
export interface EntryPlace {
  readonly root: string
  readonly entry: string
  /** True: something that is not a directory on the way to a new entry is replaced. */
  readonly clears?: true
}

/**
 * Moves an entry to another place on the same file system. Follows no link in either path. `trash` gets anything that is in its place.
 * Returns false if the way to the new place is blocked by something that is not a directory.
 */
export function moveEntry(from: EntryPlace, to: EntryPlace, trash: string): boolean {
  return inPlace(from, (source) =>
    prepared(to, trash, (target) => {
      if (lstatSync(source).isDirectory()) openToOwner(source)
      renameSync(source, target)
    }),
  )
}

/** Does the same as `moveEntry`, but leaves the entry where it is. Sockets, pipes and devices are not copied. */
export function copyEntry(from: EntryPlace, to: EntryPlace, trash: string): boolean {
  return inPlace(from, (source) => prepared(to, trash, (target) => copyTree(source, target)))
}

/** Calls `act` with a path that no link can redirect. */
function inPlace<T>({ root, entry }: EntryPlace, act: (safe: Buffer) => T): T {
  const names = namesOf(entry)
  const descriptor = openBelow(root, names.slice(0, -1))
  try {
    return act(below(descriptor, names.at(-1) ?? Buffer.alloc(0)))
  } finally {
    closeSync(descriptor)
  }
}

/** Makes the directories of an entry, moves what is in its place away, and calls `act`. */
function prepared(place: EntryPlace, trash: string, act: (safe: Buffer) => void): boolean {
  const names = namesOf(place.entry)
  for (let depth = 1; depth < names.length; depth++) {
    const parent = openBelow(place.root, names.slice(0, depth - 1))
    try {
      const directory = below(parent, names[depth - 1] ?? Buffer.alloc(0))
      const found = lstatSync(directory, { throwIfNoEntry: false })
      if (place.clears === true && found?.isDirectory() === false) discard(directory, trash)
      const stat = lstatSync(directory, { throwIfNoEntry: false })
      if (stat === undefined) {
        mkdirSync(directory, { mode: 0o700 })
        give(directory, fstatSync(parent))
      } else if (!stat.isDirectory()) return false
      else openToOwner(directory)
    } finally {
      closeSync(parent)
    }
  }
  inPlace(place, (safe) => {
    discard(safe, trash)
    act(safe)
  })
  return true
}

/** Moves an entry into the trash. Has no effect if it does not exist. */
export function discardEntry(place: EntryPlace, trash: string): void {
  inPlace(place, (safe) => discard(safe, trash))
}

function discard(safe: Buffer, trash: string): void {
  const stat = lstatSync(safe, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (stat.isDirectory()) openToOwner(safe)
  renameSync(safe, `${trash}/${readdirSync(trash).length}`)
}

function copyTree(from: Buffer, to: Buffer): void {
  const stat = lstatSync(from)
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from, 'buffer'), to)
  else if (stat.isDirectory()) {
    openToOwner(from)
    mkdirSync(to, { mode: 0o700 })
    for (const name of readdirSync(from, { encoding: 'buffer' })) copyTree(child(from, name), child(to, name))
  } else if (stat.isFile()) {
    letOwnerRead(from)
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
  } else return
  give(to, stat)
  if (!stat.isSymbolicLink()) chmodSync(to, stat.mode & 0o7777)
  lutimesSync(to, stat.atime, stat.mtime)
}

function give(entry: Buffer, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  if (process.getuid?.() === 0) lchownSync(entry, uid, gid)
}

function namesOf(entry: string): readonly Buffer[] {
  return entry.split('/').map((each) => Buffer.from(each, 'latin1'))
}

function below(descriptor: number, name: Buffer): Buffer {
  return child(Buffer.from(`/proc/self/fd/${descriptor}`), name)
}

function child(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from('/'), name])
}

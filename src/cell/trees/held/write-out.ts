import { randomBytes } from 'node:crypto'
import { chmodSync, lchownSync, lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inDirectory } from '../../../files/in-directory.ts'
import { isWorkTreePath } from '../../../git/index-file.ts'

/**
 * Writes a file of a work tree and the directories that it needs, atomically and without following a link. It gets the owner of its
 * directory. Throws the system's error.
 */
export function writeOut(workTree: string, relative: string, bytes: Buffer, isExecutable: boolean): void {
  if (!isWorkTreePath(relative)) throw new Error(`${relative} leaves the work tree`)
  const names = path.dirname(relative).split('/')
  for (const [at] of names.entries()) makeDirectory(path.join(workTree, ...names.slice(0, at + 1)), workTree)
  const file = path.join(workTree, relative)
  const temporary = path.join(path.dirname(file), `.${randomBytes(6).toString('hex')}.paddock`)
  inDirectory(temporary, (safe) => {
    try {
      writeFileSync(safe, bytes, { flag: 'wx', mode: isExecutable ? 0o755 : 0o644 })
      if (isExecutable) chmodSync(safe, 0o755)
      giveToOwnerOfParent(safe)
      renameSync(safe, path.join(path.dirname(safe), path.basename(file)))
    } finally {
      rmSync(safe, { force: true })
    }
  })
}

/** Removes a file of a work tree, and the directories that are empty then, as git does. Throws the system's error. */
export function removeFrom(workTree: string, relative: string): void {
  if (!isWorkTreePath(relative)) throw new Error(`${relative} leaves the work tree`)
  inDirectory(path.join(workTree, relative), (safe) => unlinkSync(safe))
  try {
    for (let above = path.dirname(relative); above !== '.'; above = path.dirname(above))
      inDirectory(path.join(workTree, above), (safe) => rmdirSync(safe))
  } catch {
    // The directory has other entries.
  }
}

function makeDirectory(directory: string, workTree: string): void {
  if (directory === workTree || lstatSync(directory, { throwIfNoEntry: false }) !== undefined) return
  inDirectory(directory, (safe) => {
    mkdirSync(safe)
    giveToOwnerOfParent(safe)
  })
}

function giveToOwnerOfParent(safe: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = lstatSync(`${path.dirname(safe)}/.`)
  lchownSync(safe, uid, gid)
}

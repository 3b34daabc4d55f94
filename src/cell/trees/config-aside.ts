import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import path from 'node:path'
import { inDirectory } from '../../files/in-directory.ts'
import { asideLink, asideName, isConfigAside } from '../../git/config-put-aside.ts'

/**
 * Moves the config of a git directory aside, so that git on the host can replace it while cells run: git writes the new config into a file
 * beside the old one, and a cell could write into it too if that were in a directory of the cell. Over `paddock/`, cells have views of their
 * own (`config-views.ts`). At every moment, git finds the whole config. Returns false, and changes nothing, if another program holds the lock of the config, or if the
 * directory is in use for something else.
 */
export function moveConfigAside(git: string): boolean {
  try {
    return inDirectory(path.join(git, 'config'), moveAside)
  } catch {
    return false
  }
}

function moveAside(config: string): boolean {
  const git = path.dirname(config)
  if (isConfigAside(config)) return lstatSync(path.join(git, asideLink)).isFile()
  if (!lstatSync(config).isFile()) return false
  const lock = `${config}.lock`
  if (lstatSync(lock, { throwIfNoEntry: false })?.isSymbolicLink() && readlinkSync(lock) === asideLink) unlinkSync(lock)
  const owner = statSync(git)
  // The link is made as the lock, which no git takes meanwhile.
  symlinkSync(asideLink, lock)
  try {
    if (process.getuid?.() === 0) lchownSync(lock, owner.uid, owner.gid)
    makeDirectory(path.join(git, asideName), owner)
    linkSync(config, path.join(git, asideLink))
    renameSync(lock, config)
    return true
  } catch (error) {
    unlinkSync(lock)
    // For example, the file system has no hard links.
    removeDirectory(path.join(git, asideName))
    throw error
  }
}

/** Removes the directory and the config in it. Throws, and removes nothing, if it is in use for something else. */
function removeDirectory(directory: string): void {
  const names = lstatSync(directory).isDirectory() ? readdirSync(directory) : ['']
  if (names.some((each) => each !== 'config')) throw new Error(`${directory} is in use`)
  for (const each of names) unlinkSync(path.join(directory, each))
  rmdirSync(directory)
}

/** Creates the directory. One with only a config is left from a config that another program has replaced since. */
function makeDirectory(directory: string, { mode, uid, gid }: Stats): void {
  if (lstatSync(directory, { throwIfNoEntry: false }) !== undefined) removeDirectory(directory)
  mkdirSync(directory)
  // Through a descriptor, which no link can redirect.
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    fchmodSync(descriptor, mode & 0o7777)
    if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Moves the config of a git directory back to its place. While a git on the host holds its lock, everything stays as it is, and works. If
 * another program has replaced the link, its config stays.
 */
export function moveConfigBack(git: string): void {
  try {
    inDirectory(path.join(git, 'config'), moveBack)
  } catch {
    // The next cell does it.
  }
}

/** Removes an entry. A directory is only renamed, because a running cell could replace what is in it while it is deleted. */
function removeLock(lock: string): void {
  const stat = lstatSync(lock, { throwIfNoEntry: false })
  if (stat?.isDirectory()) renameSync(lock, `${lock}.${randomBytes(4).toString('hex')}.quarantined`)
  else if (stat !== undefined) unlinkSync(lock)
}

function moveBack(config: string): void {
  const aside = path.join(path.dirname(config), asideLink)
  if (!isConfigAside(config)) {
    // Another program has replaced the link by a config of its own.
    if (lstatSync(config).isFile()) removeDirectory(path.dirname(aside))
    return
  }
  if (!lstatSync(path.dirname(aside)).isDirectory() || !lstatSync(aside).isFile()) return
  const lock = `${aside}.lock`
  // A cell left it: git on the host takes the lock beside the target of the link.
  removeLock(`${config}.lock`)
  closeSync(openSync(lock, 'wx'))
  try {
    renameSync(aside, config)
  } finally {
    unlinkSync(lock)
  }
  rmdirSync(path.dirname(aside))
}

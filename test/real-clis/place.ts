import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import path from 'node:path'
import type { Who } from '../support/cli.ts'
import { realCliDirectories } from './locate.ts'

let linked: string | null = null

/**
 * The PATH directory with the real CLIs, as that user can read it. Where the checkout is closed to others it is a tree
 * of hard links (a gigabyte is not copied for a test), removed when the tests end.
 */
export async function realCliDirectory(who: Who): Promise<string> {
  const [own] = await realCliDirectories()
  if (own === undefined) throw new Error('the real CLIs are not installed: npm ci in test/real-clis')
  if (who === 'root' || process.getuid?.() !== 0 || readableByAll(own)) return own
  if (linked === null) {
    const place = mkdtempSync('/tmp/paddock-clis-')
    process.once('exit', () => rmSync(place, { recursive: true, force: true }))
    chmodSync(place, 0o755)
    linked = path.join(place, 'node_modules')
    linkTree(path.dirname(own), linked)
  }
  return path.join(linked, '.bin')
}

function readableByAll(directory: string): boolean {
  for (let each = directory; each !== '/'; each = path.dirname(each)) if ((lstatSync(each).mode & 0o001) === 0) return false
  return true
}

function linkTree(from: string, to: string): void {
  mkdirSync(to, { mode: 0o755 })
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) linkTree(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkOrCopy(source, target)
  }
}

/** A copy across file systems, and where the file itself is closed to others. */
function linkOrCopy(source: string, target: string): void {
  const { mode } = lstatSync(source)
  if ((mode & 0o004) !== 0) {
    try {
      return linkSync(source, target)
    } catch {
      accessSync(source, constants.R_OK)
    }
  }
  copyFileSync(source, target, constants.COPYFILE_FICLONE)
  chmodSync(target, (mode & 0o777) | 0o044 | ((mode & 0o100) === 0 ? 0 : 0o011))
}

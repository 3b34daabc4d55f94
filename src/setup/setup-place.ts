import { chmodSync, closeSync, lstatSync, mkdirSync, renameSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../base/errors.ts'
import { FileTaker } from '../copy/taking/file-taker.ts'
import { takeTree } from '../copy/taking/take-tree.ts'
import { everything } from '../copy/taking/wanted.ts'
import { openBelow } from '../files/open-below.ts'
import { removeTree } from '../files/remove-tree.ts'

/**
 * Copies a directory of a result into a tree that does not have it. The copy is made beside the tree and then renamed, so it is complete or
 * absent after a kill. Returns sentences about what was not placed. The caller has the lock of the tree.
 */
export async function placeDirectory(source: string, tree: string, name: string, signal: AbortSignal): Promise<readonly string[]> {
  const making = path.join(path.dirname(tree), `.${path.basename(tree)}.setup`)
  await removeTree(making)
  try {
    const owner = process.geteuid?.() === 0 ? statSync(tree) : null
    mkdirSync(making, { mode: 0o700 })
    const disk = statfsSync(making)
    const taker = new FileTaker(disk.bavail * disk.bsize, undefined, signal, owner)
    const { skipped, skippedCount } = await takeTree(source, making, everything, taker)
    const facts = lstatSync(source)
    taker.dress(making, facts)
    chmodSync(making, (facts.mode & 0o777) | 0o700)
    const problem = moveInto(tree, name, making)
    if (problem !== null) return [`${name} was not placed: ${problem}`]
    const few = skipped.slice(0, 3).map((each) => `${name}/${each.path} (${each.why})`)
    if (skippedCount > few.length) few.push(`${skippedCount - few.length} more`)
    return few.length === 0 ? [] : [`not placed: ${few.join(', ')}`]
  } finally {
    await removeTree(making)
  }
}

/** Returns why it could not be moved. An agent may work in the tree meanwhile, so no link on the way is followed. */
function moveInto(tree: string, name: string, making: string): string | null {
  const names = name.split('/')
  let parent: number
  try {
    parent = openBelow(
      tree,
      names.slice(0, -1).map((each) => Buffer.from(each)),
    )
  } catch {
    return `${path.posix.dirname(name)} is not a directory`
  }
  try {
    renameSync(making, `/proc/self/fd/${parent}/${names.at(-1)}`)
    return null
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') return 'it already exists'
    throw error
  } finally {
    closeSync(parent)
  }
}

import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'

/** Returns the total size of all files in a tree, in bytes. Links are not followed, and directories that cannot be read count as empty. */
export async function treeSize(root: string): Promise<number> {
  let bytes = 0
  const open = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const facts = await lstat(next).catch(() => null)
    if (facts?.isFile() === true) bytes += facts.size
    if (facts?.isDirectory() === true) for (const each of await readdir(next).catch(() => [])) open.push(path.join(next, each))
  }
  return bytes
}

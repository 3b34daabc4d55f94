import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'

/** Bytes of all files of a tree; links are not followed, and what cannot be looked into counts nothing. */
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

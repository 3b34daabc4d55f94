import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../base/errors.ts'
import { isIn } from './paths-to.ts'

const fileOf = (state: string): string => path.join(state, 'writable-trees.jsonl')

/**
 * Returns the directories of the host that cells of this user could write to, and projects whose copies they worked on. `state`: Paddock's
 * state directory, which is not included.
 */
export function writableTrees(state: string): readonly string[] {
  let text: string
  try {
    text = readFileSync(fileOf(state), 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return []
    throw error
  }
  return text.split('\n').flatMap(pathIn)
}

/** Adds directories to `writableTrees`, except those that are in it already. Throws the system's error. */
export function noteWritableTrees(state: string, trees: readonly string[]): void {
  const known = writableTrees(state)
  const fresh = [...new Set(trees)].filter((each) => !isIn(state, each) && !known.some((other) => isIn(other, each)))
  if (fresh.length > 0) appendFileSync(fileOf(state), fresh.map((each) => `${JSON.stringify(each)}\n`).join(''), { mode: 0o600 })
}

/** Returns the path in a line; empty if the line is incomplete, because another process is writing it. */
function pathIn(line: string): readonly string[] {
  try {
    return [JSON.parse(line) as string]
  } catch {
    return []
  }
}

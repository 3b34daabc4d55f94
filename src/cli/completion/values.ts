import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { resolvePaths } from '../../base/paths.ts'

/** A kind of values that only this machine knows. */
export type ValueKind = 'cells' | 'copies' | 'contests'

/** The most directories that are searched for contests, so that completion is quick in any directory. */
const mostDirectories = 500

/** Returns the values of a kind that can complete a word. */
export async function valuesOf(kind: string, word: string): Promise<readonly string[]> {
  const values = kind === 'cells' ? await cells() : kind === 'copies' ? await copies() : kind === 'contests' ? contests(word) : []
  return values.filter((each) => each.startsWith(word) && !/\p{Cc}/u.test(each))
}

async function cells(): Promise<readonly string[]> {
  const { openCells } = await import('../../host.ts')
  return (await openCells(resolvePaths(process.env), process.env).running()).map(({ record }) => record.id)
}

async function copies(): Promise<readonly string[]> {
  const [{ listCopies }, { copiesDirectory }] = await Promise.all([import('../../copy/all-copies.ts'), import('../../copy/copy-host.ts')])
  return (await listCopies(copiesDirectory(resolvePaths(process.env)))).copies.map(({ place }) => place.id)
}

/** Returns the contests in the directory of the word, and in the directories of that one. */
function contests(word: string): readonly string[] {
  const start = word.slice(0, word.lastIndexOf('/') + 1)
  let left = mostDirectories
  const below = (at: string): string[] => directoriesIn(at).flatMap((name) => (left-- > 0 ? [`${at}${name}/`] : []))
  const first = below(start)
  return [...first, ...first.flatMap(below)].filter((each) => existsSync(path.join(each, 'contest.yaml'))).map((each) => each.slice(0, -1))
}

function directoriesIn(at: string): readonly string[] {
  try {
    return readdirSync(at === '' ? '.' : at, { withFileTypes: true })
      .filter((each) => each.isDirectory() && !each.name.startsWith('.') && each.name !== 'node_modules')
      .map((each) => each.name)
  } catch {
    return []
  }
}

import { glob } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import { isSafeName, safeNameRule } from '../../../files/safe-name.ts'
import { isDirectory } from '../../config/contest-directories.ts'
import { staysInside } from '../../config/refuse-linked-records.ts'

/** A directory that suite.yaml names as a brief. */
export interface FoundBrief {
  /** The name of the brief, unique in the suite and independent of other briefs. */
  readonly name: string
  /** The path relative to the suite. */
  readonly path: string
  /** The reason why the brief cannot be run; null: no problem is known. */
  readonly problem: string | null
}

const special = /[*?[\]{}]/

/**
 * Finds the directories that match paths and globs, in the order of the patterns, and sorted within each. Directories that a suite writes
 * are not briefs. The name of a brief is the part that its glob matched, or the last part of its path.
 * @throws PaddockError BAD_INPUT for a glob that matches nothing.
 */
export async function findBriefs(root: string, patterns: readonly string[]): Promise<FoundBrief[]> {
  const found: FoundBrief[] = []
  for (const [index, pattern] of patterns.entries()) {
    const isGlob = special.test(pattern)
    const matched = isGlob ? await directoriesOf(root, pattern) : [path.normalize(pattern).replace(/\/$/, '')]
    if (matched.length === 0)
      throw new PaddockError('BAD_INPUT', `suite.yaml, briefs[${index}]: no directory is called ${pattern}`, {
        hint: 'Name directories that have a BRIEF.md',
      })
    const base = isGlob ? fixedPart(pattern) : path.dirname(path.normalize(pattern))
    for (const each of matched) {
      if (found.some(({ path: other }) => other === each)) continue
      found.push(await briefAt(root, each, nameOf(path.relative(base, each)), found))
    }
  }
  return found
}

async function directoriesOf(root: string, pattern: string): Promise<string[]> {
  const matched: string[] = []
  for await (const each of glob(pattern, { cwd: root })) {
    const first = each.split(path.sep)[0] ?? ''
    if (['runs', 'report', 'comparisons', '.', ''].includes(first)) continue
    if (await isDirectory(path.join(root, each))) matched.push(each)
  }
  return matched.sort()
}

async function briefAt(root: string, at: string, name: string, others: readonly FoundBrief[]): Promise<FoundBrief> {
  const bad = (problem: string): FoundBrief => ({ name, path: at, problem })
  if (!isSafeName(name)) return bad(`no name can be derived from ${at}: a name has ${safeNameRule}`)
  const same = others.find((each) => each.name === name)
  if (same !== undefined) return bad(`it would be called ${name}, as ${same.path} is`)
  const directory = path.join(root, at)
  if (!(await isDirectory(directory))) return bad(`there is no directory ${at}`)
  if (!(await staysInside(root, directory))) return bad(`${at} is a link that leads out of the suite`)
  return { name, path: at, problem: null }
}

/** Returns the part of a glob before the first directory with a special character. */
function fixedPart(pattern: string): string {
  const parts = pattern.split('/')
  return path.join(
    '.',
    ...parts.slice(
      0,
      parts.findIndex((each) => special.test(each)),
    ),
  )
}

/** Returns a name made from a path. The result may not be a safe name. */
export function nameOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

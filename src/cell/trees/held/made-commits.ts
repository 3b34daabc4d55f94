import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { refsSince } from '../../../git/tips.ts'
import type { OwnRepository } from '../own-repository.ts'
import type { HeldStart } from './held-start.ts'

const mostCommits = 50_000
/** A line for commits that could not be listed. From then on, every commit counts as one of a cell. */
const unknown = '*'

/**
 * Records the commits that were made in a repository while a cell could write to it, and returns a function that recognizes the commits of
 * all cells so far. Commits that the user made meanwhile count as the cell's. `directory`: a directory of Paddock's own for these records.
 * `own`: the repository's objects.
 */
export async function recordMadeCommits(
  directory: string,
  start: HeldStart,
  since: number,
  own: OwnRepository,
): Promise<(commit: string) => boolean> {
  const file = path.join(directory, createHash('sha256').update(start.common).digest('hex').slice(0, 16))
  const before = new Set(start.tips ?? [])
  const changed = refsSince(start.common, since)
  const tips = [...new Set(changed?.values() ?? [])].filter((each) => !before.has(each))
  const made = changed === null || start.tips === null ? [unknown] : await newCommits(tips, start.tips, own)
  if (made.length > 0) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    appendFileSync(file, made.map((each) => `${each}\n`).join(''), { mode: 0o600 })
  }
  const all = new Set(linesOf(file))
  return (commit) => all.has(commit) || all.has(unknown)
}

async function newCommits(tips: readonly string[], before: readonly string[], own: OwnRepository): Promise<readonly string[]> {
  if (tips.length === 0) return []
  try {
    const input = [...tips, ...before.map((each) => `^${each}`), ''].join('\n')
    const output = await own.run(['rev-list', '--ignore-missing', `--max-count=${mostCommits}`, '--stdin'], { input })
    const found = output.toString('latin1').split('\n').filter(Boolean)
    return found.length < mostCommits ? [...found, ...tips.filter((each) => !found.includes(each))] : [unknown]
  } catch {
    return [unknown]
  }
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

import { PaddockError } from '../../base/errors.ts'
import { firstLines } from '../../base/text.ts'
import { type Problem, problemAt, type Source } from '../../config/config-problems.ts'
import type { SenseProblem } from './sense.ts'

const mostShown = 20

/** Returns a BAD_INPUT error with the problems of a YAML file and their locations. */
export function problemsError(file: string, problems: readonly Problem[], hint?: string): PaddockError {
  const all = problems.map((each) => `line ${each.line}, column ${each.column}: ${each.key === '' ? '' : `${each.key} `}${each.message}`)
  const lines = firstLines(all, mostShown)
  const message = lines.length === 1 ? `${file}, ${lines[0]}` : `${file} has ${problems.length} problems:\n  ${lines.join('\n  ')}`
  return new PaddockError('BAD_INPUT', message, hint === undefined ? {} : { hint })
}

/** Throws BAD_INPUT with these problems of contest.yaml and their locations, if there are any. */
export function refuseProblems(problems: readonly SenseProblem[], source: Source, hint?: string): void {
  if (problems.length === 0) return
  const placed = problems.map((each) => problemAt(each.path, each.message, source))
  throw problemsError(
    'contest.yaml',
    placed.toSorted((a, b) => a.line - b.line || a.column - b.column),
    hint,
  )
}

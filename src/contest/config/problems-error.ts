import type { Problem } from '../../config/problems.ts'
import { PaddockError } from '../../errors.ts'

const mostShown = 20

/** Returns a BAD_INPUT error with the problems of a YAML file and their locations. */
export function problemsError(file: string, problems: readonly Problem[]): PaddockError {
  const shown = problems.slice(0, mostShown)
  const lines = shown.map((each) => `line ${each.line}, column ${each.column}: ${each.key === '' ? '' : `${each.key} `}${each.message}`)
  if (problems.length > shown.length) lines.push(`and ${problems.length - shown.length} more`)
  const message = lines.length === 1 ? `${file}, ${lines[0]}` : `${file} has ${problems.length} problems:\n  ${lines.join('\n  ')}`
  return new PaddockError('BAD_INPUT', message)
}

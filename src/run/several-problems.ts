import { PaddockError } from '../base/errors.ts'

/** Several problems as one error with the code of the first. */
class SeveralProblems extends PaddockError {
  readonly problems: readonly PaddockError[]

  constructor(first: PaddockError, problems: readonly PaddockError[]) {
    const lines = problems.map((each) => (each.hint === undefined ? each.message : `${each.message} ${each.hint}`))
    super(first.code, `Nothing was started, for ${problems.length} reasons:\n  ${lines.join('\n  ')}`)
    this.problems = problems
  }
}

type Act = () => Promise<unknown>

/**
 * Runs functions one after the other and returns all results. Problems are collected and thrown together at the end, so that
 * a user sees all of them at once. Errors other than `PaddockError` are thrown immediately.
 */
export async function together<const T extends readonly Act[]>(acts: T): Promise<{ -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> }> {
  const results: unknown[] = []
  const problems: PaddockError[] = []
  for (const act of acts) {
    try {
      results.push(await act())
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error
      problems.push(...(error instanceof SeveralProblems ? error.problems : [error]))
    }
  }
  const [first] = problems
  if (first !== undefined) throw problems.length === 1 ? first : new SeveralProblems(first, problems)
  return results as { -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> }
}

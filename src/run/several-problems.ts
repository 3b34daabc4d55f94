import { PaddockError } from '../errors.ts'

/** What is wrong in several places, as one error with the code of the first. */
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
 * Does one thing after the other, and returns all results. The problems of some of them are thrown at the end, all at once, so that
 * a user does not meet one problem after the other. Other errors than `PaddockError` are thrown at once.
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

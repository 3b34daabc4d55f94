import type { TaskStatus } from './contest-state.ts'

/** The time, tokens and money spent on work; null: not reported. */
export type Spent = Pick<TaskStatus, 'durationMs' | 'usage' | 'costUsd'>

export const nothingSpent: Spent = { durationMs: null, usage: null, costUsd: null }

/** Returns the sum. If only one side reports a value, the sum has that value. The model is that of the second. */
export function addSpent(first: Spent, second: Spent): Spent {
  const { usage: a } = first
  const { usage: b } = second
  return {
    durationMs: sum(first.durationMs, second.durationMs),
    costUsd: sum(first.costUsd, second.costUsd),
    usage:
      a === null || b === null
        ? (b ?? a)
        : { input: a.input + b.input, output: a.output + b.output, cachedInput: a.cachedInput + b.cachedInput, model: b.model },
  }
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (b ?? a) : a + b
}

import type { TokenUsage } from '../agent-events.ts'
import type { TrajectoryMetrics } from './trajectory-format.ts'

interface WithMetrics {
  metrics?: TrajectoryMetrics
}

/**
 * Divides the totals of a run among its steps. What was counted since the last total belongs to a step only if no other step did anything
 * since: some CLIs count only at the end.
 */
export class StepMetrics<Step extends WithMetrics> {
  readonly #used = new Since<Step>()
  readonly #paid = new Since<Step>()
  #usage: TokenUsage = { input: 0, output: 0, cachedInput: 0, model: null }
  #usd = 0

  /** Notes that the model did something in this step. */
  worked(step: Step): void {
    this.#used.add(step)
    this.#paid.add(step)
  }

  /** `isLowerBound`: the number of output tokens is not known yet. */
  usage(total: TokenUsage, isLowerBound: boolean): void {
    const [input, output, cached] = (['input', 'output', 'cachedInput'] as const).map((each) => total[each] - this.#usage[each])
    this.#usage = total
    const step = this.#used.take()
    const isNew = (input ?? 0) + (output ?? 0) > 0
    if (step === null || !isNew || Math.min(input ?? 0, output ?? 0, cached ?? 0) < 0) return
    const { prompt_tokens = 0, completion_tokens = 0, cached_tokens = 0, ...others } = step.metrics ?? {}
    step.metrics = {
      ...others,
      prompt_tokens: prompt_tokens + (input ?? 0),
      ...(isLowerBound ? {} : { completion_tokens: completion_tokens + (output ?? 0) }),
      cached_tokens: cached_tokens + (cached ?? 0),
    }
  }

  cost(total: number): void {
    const usd = total - this.#usd
    this.#usd = total
    const step = this.#paid.take()
    if (step !== null && usd > 0) step.metrics = { ...step.metrics, cost_usd: (step.metrics?.cost_usd ?? 0) + usd }
  }
}

/** The only step that was added since the last call of `take`. */
class Since<Step> {
  #step: Step | null = null
  #isOne = true

  add(step: Step): void {
    this.#isOne &&= this.#step === null || this.#step === step
    this.#step = step
  }

  /** Returns that step; null if there was none, or several. */
  take(): Step | null {
    const step = this.#isOne ? this.#step : null
    this.#step = null
    this.#isOne = true
    return step
  }
}

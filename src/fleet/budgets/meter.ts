import type { AgentEvent, TokenUsage } from '../../adapters/output/agent-events.ts'
import { type Allowance, type Allowances, allowanceText } from './budget-allowance.ts'
import { priceOf, type Spent } from './budget-spent.ts'

/** The used fraction of a budget at which a warning is reported. */
const reportedAt = 0.8

export interface MeterHooks {
  /** Called once for each limit, with one sentence that the budget is nearly used up, or used up. */
  near(message: string): void
  /** Called once, when a budget is used up. */
  usedUp(): void
}

/**
 * Counts what a job uses in all of its cells, and checks it against its budgets at each event. A turn is one answer of the model: text and
 * tool calls until a tool answers. The cost is reported by the agent, else computed from the tokens; null if neither is known.
 */
export class Meter {
  readonly #allowances: Allowances
  readonly #hooks: MeterHooks
  readonly #now: () => number
  readonly #near = new Set<Allowance>()
  #turns = 0
  #isInTurn = false
  /** The use of the cells that have ended. */
  #before: { tokens: number; usd: number | null; time: number } = { tokens: 0, usd: null, time: 0 }
  #usage: TokenUsage | null = null
  #cost: number | null = null
  #isCostReported = false
  #since: number | null = null
  /** The use of other agents that worked for this job. */
  #others: Spent = { turns: 0, tokens: 0, usd: 0, time: 0 }
  #timer: NodeJS.Timeout | undefined

  constructor(allowances: Allowances, hooks: MeterHooks, now: () => number) {
    this.#allowances = allowances
    this.#hooks = hooks
    this.#now = now
  }

  /** The budget that is used up, as a clause without a period, or null. */
  over: string | null = null

  get turns(): number {
    return this.#turns
  }
  /** The time with a running cell, in milliseconds. */
  get time(): number {
    return this.#before.time + (this.#since === null ? 0 : Math.max(0, this.#now() - this.#since))
  }
  /** The cost in US dollars; null if it is not known. */
  get usd(): number | null {
    const here = this.#cost ?? (this.#usage === null ? null : priceOf(this.#usage, this.#allowances.prices))
    return here === null ? this.#before.usd : here + (this.#before.usd ?? 0)
  }
  /** Whether the agent itself reported the cost. */
  get isCostReported(): boolean {
    return this.#isCostReported
  }

  /** Starts counting the time of a cell. */
  start(): void {
    this.#since = this.#now()
    this.#isInTurn = false
    this.#check()
    this.#watchTime()
  }

  /** Stops counting the time of a cell. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#before = { tokens: this.#tokens, usd: this.usd, time: this.time }
    this.#usage = null
    this.#cost = null
    this.#since = null
  }

  /**
   * Checks that a turn is left. Used by agents that know when a model is about to be called.
   * @throws Error if no turn is left
   */
  beforeCall(): void {
    for (const each of this.#allowances.limits) {
      const used = each.before + this.#spent().turns
      if (each.unit !== 'turns' || used < each.limit) continue
      this.over ??= `${allowanceText(each, used)} is used up`
      this.#hooks.usedUp()
    }
    if (this.over !== null) throw new Error(this.over)
  }

  /** Returns the limits that remain for other agents that work for this job. */
  left(): Allowance[] {
    const spent = this.#spent()
    return this.#allowances.limits.map((each) => ({ ...each, limit: Math.max(0, each.limit - each.before - spent[each.unit]), before: 0 }))
  }

  /** Adds what other agents used for the job. */
  add(used: Spent): void {
    this.#others = {
      turns: this.#others.turns + used.turns,
      tokens: this.#others.tokens + used.tokens,
      usd: this.#others.usd + used.usd,
      time: this.#others.time + used.time,
    }
    this.#check()
  }

  event(event: AgentEvent): void {
    if (event.type === 'text' || event.type === 'tool-call') {
      if (!this.#isInTurn) this.#turns++
      this.#isInTurn = true
    } else if (event.type === 'tool-result') this.#isInTurn = false
    else if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'cost') {
      this.#cost = event.usd
      this.#isCostReported = true
    }
    this.#check()
  }

  get #tokens(): number {
    return this.#before.tokens + (this.#usage === null ? 0 : this.#usage.input + this.#usage.output)
  }

  #spent(): Spent {
    const { turns, tokens, usd, time } = this.#others
    return { turns: this.#turns + turns, tokens: this.#tokens + tokens, usd: (this.usd ?? 0) + usd, time: this.time + time }
  }

  #check(): void {
    const spent = this.#spent()
    for (const each of this.#allowances.limits) {
      const used = each.before + spent[each.unit]
      // The last turn within a budget may finish.
      const isOver = used > each.limit || (each.unit !== 'turns' && used >= each.limit)
      if (used >= reportedAt * each.limit && !this.#near.has(each)) {
        this.#near.add(each)
        this.#hooks.near(`${capital(allowanceText(each, used))} is ${isOver ? '' : 'nearly '}used up.`)
      }
      if (isOver && this.over === null) {
        this.over = `${allowanceText(each, used)} is used up`
        this.#hooks.usedUp()
      }
    }
  }

  /** Checks the time even while the agent reports nothing. */
  #watchTime(): void {
    clearTimeout(this.#timer)
    // Moments that are not reported yet, even if they have just passed: time also passes between two readings of the clock.
    const moments = this.#allowances.limits
      .filter((each) => each.unit === 'time')
      .flatMap((each) => [
        ...(this.#near.has(each) ? [] : [reportedAt * each.limit - each.before]),
        ...(this.over === null ? [each.limit - each.before] : []),
      ])
    if (moments.length === 0) return
    const longest = 2 ** 31 - 1
    this.#timer = setTimeout(
      () => {
        this.#check()
        if (this.#since !== null) this.#watchTime()
      },
      Math.min(longest, Math.max(0, Math.ceil(Math.min(...moments) - this.time)) + 1),
    )
  }
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

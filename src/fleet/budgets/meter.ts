import type { AgentEvent, TokenUsage } from '../../adapters/output/events.ts'
import { type Allowance, type Allowances, allowanceText } from './allowance.ts'
import { priceOf, type Spent } from './spent.ts'

/** The part of a budget at which it is reported. */
const reportedAt = 0.8

export interface MeterHooks {
  /** A budget is used up, or nearly: one sentence, once for each. */
  near(message: string): void
  /** A budget is used up: once. */
  usedUp(): void
}

/**
 * Counts what a job uses, in all of its cells, and holds it against its budgets with each event. A turn is one answer of the model: text and
 * calls of tools until a tool answers. Money is what the agent reports, else what its tokens cost; null if neither is known.
 */
export class Meter {
  readonly #allowances: Allowances
  readonly #hooks: MeterHooks
  readonly #now: () => number
  readonly #near = new Set<Allowance>()
  #turns = 0
  #isInTurn = false
  /** Of the cells that have ended. */
  #before: { tokens: number; usd: number | null; time: number } = { tokens: 0, usd: null, time: 0 }
  #usage: TokenUsage | null = null
  #cost: number | null = null
  #isCostReported = false
  #since: number | null = null
  /** Of agents that worked for this job. */
  #others: Spent = { turns: 0, tokens: 0, usd: 0, time: 0 }
  #timer: NodeJS.Timeout | undefined

  constructor(allowances: Allowances, hooks: MeterHooks, now: () => number) {
    this.#allowances = allowances
    this.#hooks = hooks
    this.#now = now
  }

  /** What is used up, in half a sentence; null: nothing is. */
  over: string | null = null

  get turns(): number {
    return this.#turns
  }
  /** Milliseconds with a running cell. */
  get time(): number {
    return this.#before.time + (this.#since === null ? 0 : Math.max(0, this.#now() - this.#since))
  }
  /** Null: not known. */
  get usd(): number | null {
    const here = this.#cost ?? (this.#usage === null ? null : priceOf(this.#usage, this.#allowances.prices))
    return here === null ? this.#before.usd : here + (this.#before.usd ?? 0)
  }
  /** Whether the agent itself said what it cost. */
  get isCostReported(): boolean {
    return this.#isCostReported
  }

  /** A cell has started. */
  start(): void {
    this.#since = this.#now()
    this.#isInTurn = false
    this.#check()
    this.#watchTime()
  }

  /** It has ended. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#before = { tokens: this.#tokens, usd: this.usd, time: this.time }
    this.#usage = null
    this.#cost = null
    this.#since = null
  }

  /**
   * Before a model is asked, by those who can know.
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

  /** What is left for others who work for this job. */
  left(): Allowance[] {
    const spent = this.#spent()
    return this.#allowances.limits.map((each) => ({ ...each, limit: Math.max(0, each.limit - each.before - spent[each.unit]), before: 0 }))
  }

  /** Others have used this for the job. */
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
      // The last turn that a budget pays for may end.
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

  /** An agent that says nothing uses time, too. */
  #watchTime(): void {
    clearTimeout(this.#timer)
    // What is not reported yet, though it may be due by now: time passes also between one look at the clock and the next.
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

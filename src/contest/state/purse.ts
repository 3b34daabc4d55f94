import type { Role } from './progress.ts'

/** The resources that one cell used; null: not reported. */
export interface Used {
  /** The cost in US dollars. */
  readonly costUsd: number | null
  readonly usage: { readonly input: number; readonly output: number } | null
  readonly durationMs: number | null
}

/** Spending limits in US dollars and in tokens. Absent: unlimited. */
export interface Caps {
  readonly money?: number | undefined
  readonly tokens?: number | undefined
}

export interface PurseBounds extends Caps {
  /** The time from now, in milliseconds. */
  readonly wall?: number | undefined
  /** The caps on spending by judges, as a part of the total. */
  readonly judges?: Caps | undefined
}

/** A budget that several contests share. */
export interface Purse {
  /** Starts a cell. Returns null if it would exceed a cap at the price of the most expensive cell of its kind so far. */
  start(role: Role, name: string): { ended(used: Used): void } | null
}

/** A purse that also counts earlier spending. */
export interface OpenPurse extends Purse {
  /** Counts the resources that a cell used before the purse was opened. */
  note(role: Role, name: string, used: Used): void
  readonly spent: Amount
  /** The first cap that kept a cell from starting; null: no cap did. */
  readonly reached: string | null
}

export interface Amount {
  readonly money: number
  readonly tokens: number
}

const nothing: Amount = { money: 0, tokens: 0 }
const plus = (a: Amount, b: Amount, sign = 1): Amount => ({ money: a.money + sign * b.money, tokens: a.tokens + sign * b.tokens })

/**
 * Opens a purse. A running cell is never stopped because of the budget. A cell does not start if a cap would be exceeded at the price of
 * the most expensive cell of its kind (this participant, or this judge) so far. Running cells count at that price as well. The first cell
 * of a kind starts while anything is left. `nowMs`: a monotonic clock.
 */
export function openPurse(bounds: PurseBounds, nowMs: () => number): OpenPurse {
  const began = nowMs()
  const dearest = new Map<string, Amount & { readonly ms: number }>()
  const total = { all: nothing, judges: nothing }
  const running = { all: nothing, judges: nothing }
  let reached: string | null = null
  const add = (to: typeof total, role: Role, amount: Amount, sign = 1): void => {
    to.all = plus(to.all, amount, sign)
    if (role === 'judge') to.judges = plus(to.judges, amount, sign)
  }
  const note = (role: Role, name: string, { costUsd, usage, durationMs }: Used): void => {
    const amount = { money: costUsd ?? 0, tokens: usage === null ? 0 : usage.input + usage.output }
    const key = `${role} ${name}`
    const before = dearest.get(key) ?? { ...nothing, ms: 0 }
    dearest.set(key, {
      money: Math.max(before.money, amount.money),
      tokens: Math.max(before.tokens, amount.tokens),
      ms: Math.max(before.ms, durationMs ?? 0),
    })
    add(total, role, amount)
  }
  /** Returns the cap that one more cell would exceed. */
  const passes = (role: Role, next: Amount & { readonly ms: number }): string | null => {
    const over = (cap: number | undefined, already: number, more: number): boolean =>
      cap !== undefined && (already >= cap || already + more > cap)
    const of = (caps: Caps, part: 'all' | 'judges'): string | undefined =>
      (['money', 'tokens'] as const).find((each) => over(caps[each], total[part][each] + running[part][each], next[each]))
    if (over(bounds.wall, nowMs() - began, next.ms)) return 'wall'
    const own = role === 'judge' ? of(bounds.judges ?? {}, 'judges') : undefined
    return of(bounds, 'all') ?? (own === undefined ? null : `judges.${own}`)
  }
  return {
    note,
    get spent() {
      return total.all
    },
    get reached() {
      return reached
    },
    start(role, name) {
      const likely = dearest.get(`${role} ${name}`) ?? { ...nothing, ms: 0 }
      const cap = passes(role, likely)
      if (cap !== null) {
        reached ??= cap
        return null
      }
      add(running, role, likely)
      let isOpen = true
      return {
        ended(used) {
          if (!isOpen) return
          isOpen = false
          add(running, role, likely, -1)
          note(role, name, used)
        },
      }
    },
  }
}

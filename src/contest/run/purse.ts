import type { Role } from '../state/progress.ts'

/** What one cell used; null: it does not say. */
export interface Used {
  /** US dollars. */
  readonly costUsd: number | null
  readonly usage: { readonly input: number; readonly output: number } | null
  readonly durationMs: number | null
}

/** What may be spent: US dollars, tokens. Absent: as much as it takes. */
export interface Caps {
  readonly money?: number | undefined
  readonly tokens?: number | undefined
}

export interface PurseBounds extends Caps {
  /** Milliseconds from now. */
  readonly wall?: number | undefined
  /** Of these, what judges may spend. */
  readonly judges?: Caps | undefined
}

/** What several contests spend together. */
export interface Purse {
  /** Null: with one more cell as dear as the dearest of its kind so far, a cap would be passed. */
  start(role: Role, name: string): { ended(used: Used): void } | null
}

/** A purse that knows what was spent before. */
export interface OpenPurse extends Purse {
  /** Notes what a cell used that ran before the purse was opened. */
  note(role: Role, name: string, used: Used): void
  readonly spent: Amount
  /** Which cap kept a cell from starting first; null: none did. */
  readonly reached: string | null
}

export interface Amount {
  readonly money: number
  readonly tokens: number
}

const nothing: Amount = { money: 0, tokens: 0 }
const plus = (a: Amount, b: Amount, sign = 1): Amount => ({ money: a.money + sign * b.money, tokens: a.tokens + sign * b.tokens })

/**
 * A cell is never cut for the budget: it does not start if the dearest cell of its kind (this participant, or this judge) so far would pass a cap, what runs
 * now being counted as that dear, too. The first of a kind is let in while anything is left. `nowMs`: any clock that goes forward.
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
  /** Which cap one more would pass. */
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

import { formatCost } from '../../base/quantities.ts'
import type { ContestStatus } from '../state/contest-state.ts'
import type { Outcome } from '../state/participant-outcome.ts'
import type { Role } from '../state/progress.ts'
import type { Used } from '../state/purse.ts'
import { type Scene, tell } from '../state/scene.ts'
import type { Again } from './pool.ts'

/** Extra wait after a rate limit, because it may end a little later than reported. */
const graceMs = 1_000

/** The permission for an agent to start. */
export interface Start {
  /** Records the use of the agent when it has ended. */
  ended(used: Used): void
}

/** Limits that keep agents from starting: a spent budget, and rate limits that agents wait for. */
export interface Limits {
  /** Must be called before an agent starts. Returns null if the budget is spent. */
  start(role: Role, name: string): Start | null
  /** Reports and returns when an agent with this outcome runs again; null if it does not run again. */
  again(role: Role, name: string, outcome: Outcome): Promise<Again | null>
  /** Reports that the budget is spent, if an agent was not started for that reason. */
  sayIfSpent(): Promise<void>
}

export function limitsOf(scene: Scene): Limits {
  const { contest, journal, deps, purse } = scene
  const { budget, waitForLimits } = contest.config
  /** The time at which each agent was first rate-limited. */
  const since = new Map<string, number>()
  const isSpent = (): boolean => budget !== undefined && spentBy(journal.status) >= budget
  let refused = false
  return {
    start(role, name) {
      const isOver = isSpent()
      refused ||= isOver
      if (isOver) return null
      return purse === null ? { ended: () => {} } : purse.start(role, name)
    },
    async again(role, name, { kind, resetsAt }) {
      if (kind !== 'rate-limited' || resetsAt === null || waitForLimits === undefined || deps.signal.aborted || isSpent()) return null
      const key = `${role} ${name}`
      const first = since.get(key) ?? deps.now().getTime()
      since.set(key, first)
      const again = Math.max(resetsAt, deps.now().getTime()) + graceMs
      if (again - first > waitForLimits) return null
      await tell(scene, { type: 'waits', role, name, until: again })
      return { again }
    },
    async sayIfSpent() {
      if (!refused) return
      const message = `the budget of ${formatCost(budget ?? 0)} is spent (${formatCost(spentBy(journal.status))}), so no more agents start; with a higher budget the contest continues`
      await tell(scene, { type: 'warning', message })
    },
  }
}

/** Returns the reported cost of all agents of a round and its judging, in US dollars. */
function spentBy({ participants, tasks }: ContestStatus): number {
  return [...Object.values(participants), ...tasks].reduce((sum, each) => sum + (each.costUsd ?? 0) + (each.earlierCostUsd ?? 0), 0)
}

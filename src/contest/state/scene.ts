import { hash } from 'node:crypto'
import path from 'node:path'
import type { Secret } from '../../secrets/secret.ts'
import type { Contest } from '../config/brief.ts'
import type { ContestDeps } from '../run/deps.ts'
import type { Purse } from '../run/purse.ts'
import type { Slots } from '../run/slots.ts'
import type { ContestEvent, RecordedEvent } from './progress.ts'
import type { Starts } from './round-start.ts'
import type { Journal } from './status.ts'

/** One contest at work: its files, its status, and what it may use. */
export interface Scene {
  readonly contest: Contest
  readonly journal: Journal
  readonly deps: ContestDeps
  /** What participants start this round with. */
  readonly starts: Starts
  /** Where its cells wait until one more may run. */
  readonly slots: Slots
  /** What other contests of the same suite spend with it; null: it is run by itself. */
  readonly purse: Purse | null
  /** A directory of the host for what is thrown away: private homes, copies for checks. */
  readonly scratch: string
  /** The credentials that the cells are given: none of them may be in what comes out. */
  readonly inPlay: readonly Secret[]
  /** True: those that failed to run are run again. */
  readonly retry: boolean
  /** The participant or judge that is run again whatever its outcome; null: none. */
  readonly only: string | null
}

/** Where a contest puts what it throws away: outside of the contest's own directory, which people share. */
export function scratchOf(deps: Pick<ContestDeps, 'paths'>, root: string): string {
  return path.join(deps.paths.state, 'scratch', `contest-${hash('sha256', root).slice(0, 16)}`)
}

/** Where what you judge is laid out, also while the contest runs. */
export function yourScratchOf(deps: Pick<ContestDeps, 'paths'>, root: string): string {
  return `${scratchOf(deps, root)}-you`
}

/** Shows an event and writes it into events.jsonl. */
export async function tell(scene: Pick<Scene, 'journal' | 'deps'>, event: RecordedEvent): Promise<void> {
  scene.deps.progress(event satisfies ContestEvent)
  await scene.journal.record(event)
}

import { hash } from 'node:crypto'
import path from 'node:path'
import type { Secret } from '../../secrets/secret.ts'
import type { Contest } from '../config/brief.ts'
import type { ContestDeps } from './contest-deps.ts'
import type { Journal } from './contest-state.ts'
import type { ContestEvent, RecordedEvent } from './progress.ts'
import type { Purse } from './purse.ts'
import type { Starts } from './round-start.ts'
import type { Slots } from './slots.ts'

/** A running contest: its files, its status and its resources. */
export interface Scene {
  readonly contest: Contest
  readonly journal: Journal
  readonly deps: ContestDeps
  /** The starts of participants in this round. */
  readonly starts: Starts
  /** The slots for the contest's cells. */
  readonly slots: Slots
  /** The budget shared with the other contests of a suite; null: the contest is not part of a suite run. */
  readonly purse: Purse | null
  /** A host directory for temporary files: private homes, copies for checks. */
  readonly scratch: string
  /** The credentials that the cells get. None of them may appear in the results. */
  readonly inPlay: readonly Secret[]
  /** True: participants and judges that failed to run are run again. */
  readonly retry: boolean
  /** The participant or judge that is run again regardless of its outcome; null if none is. */
  readonly only: string | null
}

/** Returns the directory for temporary files of a contest. It is outside the contest directory, which users share. */
export function scratchOf(deps: Pick<ContestDeps, 'paths'>, root: string): string {
  return path.join(deps.paths.state, 'scratch', `contest-${hash('sha256', root).slice(0, 16)}`)
}

/** Returns the directory for the work that you judge. It is separate, because the contest may run at the same time. */
export function yourScratchOf(deps: Pick<ContestDeps, 'paths'>, root: string): string {
  return `${scratchOf(deps, root)}-you`
}

/** Displays an event and writes it to events.jsonl. */
export async function tell(scene: Pick<Scene, 'journal' | 'deps'>, event: RecordedEvent): Promise<void> {
  scene.deps.progress(event satisfies ContestEvent)
  await scene.journal.record(event)
}

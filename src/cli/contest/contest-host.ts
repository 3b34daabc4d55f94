import { exitCodes, PaddockError } from '../../base/errors.ts'
import { contestDeps } from '../../contest/run/host-deps.ts'
import type { ContestDeps } from '../../contest/state/contest-deps.ts'
import { openCliHost } from '../open-host.ts'
import { egressNotices } from '../run/egress-notices.ts'
import { onEndSignal } from '../terminal/signals.ts'
import { contestProgress, type ProgressView } from './contest-progress.ts'

/** Runs `act` with the dependencies of a contest on this machine, shows its progress, and closes everything at the end. */
export async function onContestHost<T>(
  options: { readonly quiet?: boolean },
  act: (deps: ContestDeps, view: ProgressView) => Promise<T>,
): Promise<T> {
  const view = contestProgress(process.stderr, options.quiet === true)
  return await onHost(view, 'paddock contest run', (deps) => act({ ...deps, progress: view.event }, view))
}

/** Does the same as `onContestHost` with another view. `command` is the command that continues after an interruption. */
export async function onHost<T>(
  view: Pick<ProgressView, 'note' | 'end'>,
  command: string,
  act: (deps: ContestDeps) => Promise<T>,
): Promise<T> {
  const told = egressNotices(view.note, (_, value) => `egress.allow: ['${value}']`)
  // The report of the contest lists what participants were denied.
  const host = openCliHost({ onNotice: (notice) => (notice.kind === 'denied' ? undefined : told(notice)) })
  const cancel = new AbortController()
  const release = onInterrupt(cancel, view, command)
  try {
    return await act(await contestDeps(host, { signal: cancel.signal, progress: () => {} }))
  } finally {
    view.end()
    release()
    host[Symbol.dispose]()
  }
}

/** Handles Ctrl-C. The first one ends all cells and keeps finished work; the second exits without waiting for the cells. */
function onInterrupt(cancel: AbortController, view: Pick<ProgressView, 'note'>, command: string): () => void {
  const interrupt = (): void => {
    if (cancel.signal.aborted) process.exit(exitCodes.cancelled)
    view.note(`ending all cells; finished work is kept, and "${command}" continues from here`)
    cancel.abort(new PaddockError('CANCELLED', 'It was interrupted.', { hint: `Continue with: ${command}` }))
  }
  return onEndSignal(interrupt)
}

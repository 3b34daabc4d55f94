import type { RunSummary } from '../../adapters/output/run-summary.ts'
import { printableName } from '../../base/text.ts'
import type { CellReport } from '../../cell/report.ts'
import * as run from '../../run/run-outcome.ts'
import { missingOutputs } from '../seal/seal-bounds.ts'
import type { Seal } from '../seal/seal-schema.ts'
import type { Outcome } from '../state/participant-outcome.ts'

const again = 'run again later with --retry'
/** Hints for users of a contest. */
const hints: Readonly<Partial<Record<run.RunOutcome['kind'], string>>> = {
  'rate-limited': again,
  'endpoint-failed': again,
  'login-needed': 'log in with its own program, then run again with --retry; paddock credentials check says more',
  'out-of-time': 'give it more with limits.timeout',
  silent: 'give it more with limits.silence',
  'out-of-memory': 'give it more with limits.memory',
  'out-of-disk': 'give it more with limits.disk',
}

/** Returns the outcome of one run of a participant or judge. */
export function outcomeOf(report: CellReport, said: RunSummary, agent: string): Outcome {
  return inContest(run.runOutcome(report, said, agent))
}

export function cancelled(): Outcome {
  return run.cancelled()
}

export function startFailed(message: string, hint: string | null): Outcome {
  return inContest(run.startFailed(message, hint))
}

function inContest(outcome: run.RunOutcome): Outcome {
  // A contest has no option --allow-degraded.
  const own = outcome.hint?.replace(/give it up for this run with --allow-degraded (memory|cpus)/, 'leave $1 out of limits in contest.yaml')
  return { ...outcome, hint: own ?? hints[outcome.kind] ?? null }
}

/**
 * Returns the outcome after sealing: delivered, or a message about the missing part. A run that ended with an error but delivered keeps its
 * error message.
 */
export function outcomeOfSeal(ended: Outcome, seal: Seal, required: readonly string[]): Outcome {
  const isPartial = ended.kind === 'out-of-time'
  const ran: Outcome = isPartial
    ? { ...ended, message: 'it ran out of time, and its work up to then counts', hint: null, isPartial }
    : ended
  if (seal.state === 'over-limit') return { ...ran, kind: 'over-limit', message: `its submission was not accepted: ${seal.message}` }
  if (seal.state === 'leaks')
    return {
      ...ran,
      kind: 'leaks-a-credential',
      message: `its submission was not accepted: ${seal.message}`,
      hint: 'Replace the credential if anybody else may have seen it: the attempt still holds it',
    }
  const missing = missingOutputs(seal, required)
  const why =
    seal.files.length === 0
      ? 'it left no file in /contest/out'
      : missing.length > 0
        ? `required outputs are missing: ${missing.map(printableName).join(', ')}`
        : null
  if (why === null) return { ...ran, kind: 'delivered' }
  return { ...ran, kind: 'incomplete', message: ran.message === null ? why : `${why}; ${ran.message}` }
}

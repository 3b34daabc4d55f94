// This is for the declarations, because a program that imports them may not use this library.
/// <reference lib="esnext.disposable" preserve="true" />

import type * as CellApi from './cell-api.ts'
import type * as Api from './contest-api.ts'

export type { AgentEvent, TokenUsage } from './adapters/output/agent-events.ts'
export { type ErrorCode, PaddockError } from './base/errors.ts'
export type { CellReport } from './cell/report.ts'
export type { Summary } from './contest/ranking/contest-summary.ts'
export type { ContestResult } from './contest/report/result.ts'
export type { ContestStatus } from './contest/state/contest-state.ts'
export type { EventLine } from './contest/state/event-line.ts'
export type { ContestEvent } from './contest/state/progress.ts'
export type { EventsRead } from './contest/state/read-events.ts'
export type { ContestStanding, Environment, RunContestOptions } from './contest-api.ts'
export type { AgentResult, AgentRun, RunAgentOptions } from './programs/agent-run.ts'
export type { CellOptions } from './programs/cell-options.ts'
export type { CommandOptions, CommandResult, OpenCell } from './programs/open-cell.ts'
export type { RunOutcome } from './run/run-outcome.ts'

/**
 * Runs the contest in a directory from its current state to its report, like `paddock contest run`.
 *
 * ```ts
 * const { summary } = await runContest('contests/parser', { onEvent: (event) => console.log(event.type) })
 * console.log(summary.verdict?.sentence)
 * ```
 * @throws PaddockError BAD_INPUT, NOT_ALLOWED, AGENT_NOT_INSTALLED or LOGIN_NEEDED before anything runs; BUSY while another process works
 * on the contest; CANCELLED once `signal` is aborted
 */
export const runContest: typeof Api.runContest = async (...given) => await (await api()).runContest(...given)

/** Returns the state of a contest, like `paddock contest status`. Takes no lock and writes nothing. */
export const contestStatus: typeof Api.contestStatus = async (...given) => await (await api()).contestStatus(...given)

/** Returns events of a contest after the cursor `after` of an earlier call, at most `limit` (200). Also works while the contest runs. */
export const contestEvents: typeof Api.contestEvents = async (...given) => await (await api()).contestEvents(...given)

/**
 * Writes the report for the current state of a contest and returns it, like `paddock contest report`.
 * @throws PaddockError NOT_FOUND if the contest was never run
 */
export const contestReport: typeof Api.contestReport = async (...given) => await (await api()).contestReport(...given)

/**
 * Opens a cell for commands, with the settings of the project, as `paddock run` would. The cell ends with this process, or when it is closed.
 *
 * ```ts
 * await using cell = await openCell({ cwd: 'my-project', presets: ['npm'], timeout: 10 * 60_000 })
 * const { exitCode, stdout } = await cell.run(['npm', 'test'])
 * ```
 * @throws PaddockError BAD_INPUT, NOT_ALLOWED or UNENFORCEABLE before anything runs; CANCELLED if `signal` is aborted
 */
export const openCell: typeof CellApi.openCell = async (...given) => await (await cellApi()).openCell(...given)

/**
 * Runs an agent on a prompt in a cell, as `paddock run --prompt` does, and returns it before it has ended.
 *
 * ```ts
 * await using run = await runAgent({ agent: 'claude', prompt: 'Make the tests pass.', cwd: 'my-project' })
 * for await (const event of run) if (event.type === 'text') console.log(event.text)
 * const { outcome, costUsd } = await run.result
 * ```
 * @throws PaddockError BAD_INPUT if there is no such agent. Refusals of the cell are errors of the iteration and of `result`
 */
export const runAgent: typeof CellApi.runAgent = async (...given) => await (await cellApi()).runAgent(...given)

async function cellApi(): Promise<typeof CellApi> {
  return await import('./cell-api.ts')
}

/** With the first call, because an import that is not used should cost nothing. */
async function api(): Promise<typeof Api> {
  return await import('./contest-api.ts')
}

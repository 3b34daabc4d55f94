import { findAdapter } from '../adapters/find-adapter.ts'
import type { AgentEvent, TokenUsage } from '../adapters/output/agent-events.ts'
import { transcript } from '../adapters/output/parse-transcript.ts'
import { noSummary, withEvent } from '../adapters/output/run-summary.ts'
import { PaddockError } from '../base/errors.ts'
import type { CellReport } from '../cell/report.ts'
import { type RunOutcome, runOutcome } from '../run/run-outcome.ts'
import type { CellOptions } from './cell-options.ts'
import { startRun } from './run-process.ts'

export interface RunAgentOptions extends CellOptions {
  /** The name of an agent, such as `claude`. */
  readonly agent: string
  readonly prompt: string
  /** The model, as the agent names it. */
  readonly model?: string
  /** The conversation of an earlier run in this project (`AgentResult.conversation`), which this run continues. */
  readonly conversation?: string
  /** Further arguments for the agent's own program. */
  readonly args?: readonly string[]
}

/** The result of a run of an agent. */
export interface AgentResult {
  /** How the run ended. `kind: 'ran'`: the agent's program exited by itself; `message` is null if it also succeeded. */
  readonly outcome: RunOutcome
  /** The agent's last answer; empty if it gave none. */
  readonly text: string
  /** The ID with which a later run continues; null: the agent did not report one. */
  readonly conversation: string | null
  /** Token counts; null: the agent reported none. */
  readonly usage: TokenUsage | null
  /** The cost in US dollars that the agent reported; null: it reported none. */
  readonly costUsd: number | null
  /** The report of the cell, as of `paddock run --report`. */
  readonly report: CellReport
}

/**
 * A run of an agent. Iterate it for the events, and await `result` for the end. Leaving the loop early ends the cell, as does the end of an
 * `await using` block.
 */
export interface AgentRun extends AsyncIterable<AgentEvent>, AsyncDisposable {
  /**
   * Resolves when the cell has ended. An agent that fails is a result and not an error. Events that nobody iterates are dropped.
   *
   * Rejects with a `PaddockError`: BAD_INPUT, NOT_ALLOWED, AGENT_NOT_INSTALLED, LOGIN_NEEDED and the like if no cell started, CANCELLED if
   * `signal` was aborted or the loop was left.
   */
  readonly result: Promise<AgentResult>
}

export async function runAgent({ agent, prompt, model, conversation, args = [], ...options }: RunAgentOptions): Promise<AgentRun> {
  const adapter = findAdapter(agent)
  if (adapter.takesCommand === true)
    throw new PaddockError('BAD_INPUT', `${agent} has no program of its own.`, { hint: 'To run commands in a cell, use openCell' })
  const words = [
    ...['--raw', '--prompt-file=-'],
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(conversation === undefined ? [] : [`--continue=${conversation}`]),
    ...[agent, ...args],
  ]
  const run = startRun(words, options)
  run.stdin.end(prompt)
  const { promise, resolve, reject } = Promise.withResolvers<AgentResult>()
  promise.catch(() => undefined)

  async function* follow(): AsyncGenerator<AgentEvent, void> {
    let summary = noSummary
    let isWhole = false
    try {
      for await (const event of transcript(run.stdout, await adapter.parser(), run.ended)) {
        summary = withEvent(summary, event)
        yield event
      }
      const report = await run.report()
      isWhole = true
      const { resultText: text, usage, costUsd } = summary
      resolve({ outcome: runOutcome(report, summary, agent), text, conversation: summary.conversation, usage, costUsd, report })
    } catch (error) {
      isWhole = true
      reject(error)
      throw error
    } finally {
      if (!isWhole) {
        run.stop()
        run.stdout.resume()
        await run.ended
        reject(new PaddockError('CANCELLED', 'The events of the run were not read to their end.'))
      }
    }
  }
  let events: AsyncGenerator<AgentEvent, void> | null = null
  const taken = (): AsyncGenerator<AgentEvent, void> => (events ??= follow())
  const drain = async (): Promise<void> => {
    if (events !== null) return
    try {
      for await (const _event of taken()) {
        // Only the result is wanted.
      }
    } catch {
      // It is the result's error.
    }
  }
  return {
    [Symbol.asyncIterator]: taken,
    get result() {
      // After the caller had the chance to iterate.
      setImmediate(() => void drain())
      return promise
    },
    async [Symbol.asyncDispose]() {
      run.stop()
      run.stdout.resume()
      await run.ended
      await run.report().catch(() => undefined)
    },
  }
}

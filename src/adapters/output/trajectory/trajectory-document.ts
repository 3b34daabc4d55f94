import { redact } from '../../../base/errors.ts'
import type { AgentEvent, TokenUsage } from '../agent-events.ts'
import { type TrajectoryStep, trajectoryVersion } from './trajectory-format.ts'
import { TrajectorySteps } from './trajectory-steps.ts'

/** An event of a run, and its time as ISO 8601; null: not known. */
export interface TimedEvent {
  readonly at: string | null
  readonly event: AgentEvent
}

/** The facts about a run that has ended. */
export interface TrajectoryFacts {
  /** An ID of this run, which no other run has. */
  readonly id: string
  /** The ID of the conversation that the CLI reported; null: the CLI reported none. */
  readonly session: string | null
  readonly agent: { readonly name: string; readonly version: string | null; readonly model: string | null }
  readonly prompt: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly usage: TokenUsage | null
  readonly costUsd: number | null
  /** True: there were further events, which were not kept. */
  readonly isCut?: boolean
  readonly extra?: Readonly<Record<string, unknown>>
}

const mostCharacters = 64 * 1024 * 1024

/** Yields the text of an ATIF document, one step on each line. Secrets are redacted. A document that becomes too long is cut after a step. */
export async function* trajectoryDocument(
  events: AsyncIterable<TimedEvent>,
  facts: TrajectoryFacts,
  limit: number = mostCharacters,
): AsyncGenerator<string> {
  const { agent, usage, extra } = facts
  const model = usage?.model ?? agent.model
  yield `{
  "schema_version": ${json(trajectoryVersion)},
  "session_id": ${json(facts.session ?? facts.id)},
  "trajectory_id": ${json(facts.id)},
  "agent": ${json({ name: agent.name, version: agent.version ?? 'unknown', ...(model === null ? {} : { model_name: model }) })},
  "steps": [`
  const steps = new TrajectorySteps()
  let [written, characters, isCut] = [0, 0, facts.isCut ?? false]
  let isFull = false
  const lines = function* (complete: readonly TrajectoryStep[]) {
    for (const step of complete) {
      const line = `${written === 0 ? '' : ','}\n    ${json(step)}`
      characters += line.length
      isFull ||= written > 0 && characters > limit
      if (isFull) return
      written += 1
      yield line
    }
  }
  steps.prompt(facts.prompt, facts.startedAt)
  for await (const { at, event } of events) {
    yield* lines(steps.add(event, at))
    if (isFull) break
  }
  yield* lines(steps.end())
  isCut ||= isFull
  yield `
  ],
  "final_metrics": ${json({
    ...(usage === null
      ? {}
      : { total_prompt_tokens: usage.input, total_completion_tokens: usage.output, total_cached_tokens: usage.cachedInput }),
    ...(facts.costUsd === null ? {} : { total_cost_usd: facts.costUsd }),
    total_steps: written,
  })}`
  if (isCut) yield `,\n  "notes": ${json('The rest of the run is not in this file: it is too long.')}`
  if (extra !== undefined) yield `,\n  "extra": ${json(extra)}`
  yield '\n}\n'
}

/** Returns JSON without secrets and without surrogates that are not in pairs, which other programs refuse. */
function json(value: unknown): string {
  return JSON.stringify(clean(value))
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return redact(value.toWellFormed())
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), clean(each)]))
}

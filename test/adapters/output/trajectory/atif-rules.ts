import { expect } from 'vitest'

interface Step {
  readonly step_id: number
  readonly timestamp?: string
  readonly source: string
  readonly message: string
  readonly tool_calls?: readonly { readonly tool_call_id: string; readonly function_name: string; readonly arguments: object }[]
  readonly observation?: {
    readonly results: readonly { readonly source_call_id?: string; readonly content: string; readonly extra?: object }[]
  }
  readonly metrics?: Readonly<Record<string, number>>
  readonly [name: string]: unknown
}

/** A document of ATIF. */
export interface Trajectory {
  readonly schema_version: string
  readonly session_id: string
  readonly agent: { readonly name: string; readonly version: string; readonly model_name?: string }
  readonly steps: readonly Step[]
  readonly final_metrics: Readonly<Record<string, number>>
  readonly notes?: string
  readonly [name: string]: unknown
}

const fields = {
  root: ['schema_version', 'session_id', 'trajectory_id', 'agent', 'steps', 'notes', 'final_metrics', 'extra'],
  agent: ['name', 'version', 'model_name', 'extra'],
  step: ['step_id', 'timestamp', 'source', 'message', 'reasoning_content', 'tool_calls', 'observation', 'metrics', 'extra'],
  call: ['tool_call_id', 'function_name', 'arguments'],
  result: ['source_call_id', 'content', 'extra'],
  metrics: ['prompt_tokens', 'completion_tokens', 'cached_tokens', 'cost_usd'],
  total: ['total_prompt_tokens', 'total_completion_tokens', 'total_cached_tokens', 'total_cost_usd', 'total_steps'],
}

/** Checks the rules of ATIF 1.7 (RFC 0001 of Harbor), and returns the document. */
export function followsAtif(text: string): Trajectory {
  const document = JSON.parse(text) as Trajectory
  const only = (value: object, known: readonly string[]): void => {
    expect(Object.keys(value).filter((each) => !known.includes(each))).toEqual([])
    // A null is allowed only in what came from the agent.
    for (const [key, each] of Object.entries(value)) expect(each, key).not.toBeNull()
  }
  only(document, fields.root)
  only(document.agent, fields.agent)
  only(document.final_metrics, fields.total)
  expect(document.schema_version).toBe('ATIF-v1.7')
  for (const each of [document.session_id, document.agent.name, document.agent.version]) expect(each).toMatch(/./)
  expect(document.steps.map((each) => each.step_id)).toEqual(document.steps.map((_, index) => index + 1))
  expect(document.steps[0]?.source).toBe('user')
  for (const step of document.steps) {
    only(step, fields.step)
    expect(['user', 'agent', 'system']).toContain(step.source)
    expect(typeof step.message).toBe('string')
    if (step.timestamp !== undefined) expect(new Date(step.timestamp).toISOString()).toBe(step.timestamp)
    if (step.source !== 'agent')
      for (const field of ['reasoning_content', 'tool_calls', 'metrics', 'model_name']) expect(step).not.toHaveProperty(field)
    const ids = (step.tool_calls ?? []).map((each) => each.tool_call_id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const each of step.tool_calls ?? []) {
      only(each, fields.call)
      expect([typeof each.arguments, Array.isArray(each.arguments)]).toEqual(['object', false])
    }
    for (const each of step.observation?.results ?? []) {
      only(each, fields.result)
      expect(typeof each.content).toBe('string')
      if (each.source_call_id !== undefined) expect(ids).toContain(each.source_call_id)
    }
    if (step.metrics === undefined) continue
    only(step.metrics, fields.metrics)
    for (const each of Object.values(step.metrics)) expect(each).toBeGreaterThanOrEqual(0)
  }
  // No character that other programs cannot read.
  expect(text.isWellFormed()).toBe(true)
  expect(text).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i)
  return document
}

import type { AgentEvent } from '../agent-events.ts'
import { StepMetrics } from './step-metrics.ts'
import type { TrajectoryCall, TrajectoryMetrics, TrajectoryResult, TrajectorySource, TrajectoryStep } from './trajectory-format.ts'

/** A step that can still change. */
interface OpenStep extends TrajectoryStep {
  message: string
  reasoning_content?: string
  tool_calls?: TrajectoryCall[]
  observation?: { results: TrajectoryResult[] }
  metrics?: TrajectoryMetrics
}

interface Held {
  readonly step: OpenStep
  /** The IDs of its calls. */
  readonly ids: Set<string>
  /** The number of its calls that have no result. */
  waiting: number
  length: number
}

/** The maximum length of one step before its results, and of all steps that wait for results, in characters. */
const [longestStep, mostHeld] = [1024 * 1024, 8 * 1024 * 1024]

/**
 * Turns the events of one run into the steps of a trajectory. A step of the agent has its messages and tool calls until one of the calls is
 * answered, with the results of these calls. Steps are returned in order, once all their calls are answered. The memory in use does not
 * depend on the length of the run.
 */
export class TrajectorySteps {
  /** The steps that were not returned yet, oldest first. */
  #held: Held[] = []
  /** The calls without a result, by the ID that the CLI gave them. */
  readonly #calls = new Map<string, { readonly of: Held; readonly id: string }>()
  readonly #metrics = new StepMetrics<OpenStep>()
  #heldLength = 0
  #steps = 0
  #renamed = 0
  #spoke = false
  #failed = false

  /** The number of steps so far. */
  get count(): number {
    return this.#steps
  }

  /** Adds the prompt. */
  prompt(text: string, at: string | null): void {
    this.#newStep('user', at, text)
  }

  /** Adds an event. Returns the steps that are complete. `at`: its time, as ISO 8601; null: not known. */
  add(event: AgentEvent, at: string | null): readonly TrajectoryStep[] {
    this.#take(event, at)
    const open = this.#held.findIndex(({ waiting }) => waiting > 0)
    return this.#heldLength > mostHeld
      ? this.end()
      : this.#release(Math.min(open < 0 ? Number.POSITIVE_INFINITY : open, this.#held.length - 1))
  }

  /** Returns the remaining steps, with calls that were not answered. */
  end(): readonly TrajectoryStep[] {
    this.#calls.clear()
    return this.#release(this.#held.length)
  }

  #take(event: AgentEvent, at: string | null): void {
    switch (event.type) {
      case 'text':
        this.#spoke = true
        return this.#say(event.text, at)
      case 'reasoning':
        return this.#reason(event.text, at)
      case 'tool-call':
        return this.#call(event, at)
      case 'tool-result':
        return this.#result(event, at)
      case 'usage':
        return this.#metrics.usage(event.usage, event.isLowerBound === true)
      case 'cost':
        return this.#metrics.cost(event.usd)
      case 'rate-limit':
      case 'login-needed':
      case 'error':
        this.#failed = true
        this.#newStep('system', at, event.message, { event: event.type })
        return
      case 'result':
        // Its text usually repeats a message.
        if (event.text === '' || (event.ok ? this.#spoke : this.#failed)) return
        if (event.ok) this.#say(event.text, at)
        else this.#newStep('system', at, event.text, { event: 'result' })
    }
  }

  #say(text: string, at: string | null): void {
    const last = this.#agentStep()
    const isNext = last === null || last.ids.size > 0 || (last.step.message !== '' && last.step.metrics !== undefined)
    const held = isNext ? this.#newStep('agent', at, '') : last
    const { step } = held
    step.message = step.message === '' ? text : `${step.message}\n${text}`
    this.#grow(held, text.length)
    this.#metrics.worked(step)
  }

  #reason(text: string, at: string | null): void {
    const last = this.#agentStep()
    const held = last === null || last.ids.size > 0 || last.step.message !== '' ? this.#newStep('agent', at, '') : last
    const { reasoning_content: before } = held.step
    held.step.reasoning_content = before === undefined ? text : `${before}\n${text}`
    this.#grow(held, text.length)
    this.#metrics.worked(held.step)
  }

  #call({ id, name, input }: Extract<AgentEvent, { type: 'tool-call' }>, at: string | null): void {
    const last = this.#agentStep()
    const held = last === null || last.step.observation !== undefined ? this.#newStep('agent', at, '') : last
    const call = { tool_call_id: this.#freeId(id, held), function_name: name, arguments: argumentsOf(input) }
    held.ids.add(call.tool_call_id)
    held.step.tool_calls ??= []
    held.step.tool_calls.push(call)
    held.waiting += 1
    this.#calls.set(id, { of: held, id: call.tool_call_id })
    this.#grow(held, JSON.stringify(call).length)
    this.#metrics.worked(held.step)
  }

  #result({ id, ok, text }: Extract<AgentEvent, { type: 'tool-result' }>, at: string | null): void {
    const failed = ok ? {} : { is_error: true }
    const call = this.#calls.get(id)
    if (call === undefined) {
      // The call is unknown, or its step was returned long ago.
      const { step } = this.#newStep('system', at, '')
      step.observation = { results: [{ content: text, extra: { tool_call_id: id, ...failed } }] }
      return
    }
    this.#calls.delete(id)
    const { of } = call
    of.waiting -= 1
    of.step.observation ??= { results: [] }
    of.step.observation.results.push({ source_call_id: call.id, content: text, ...(ok ? {} : { extra: failed }) })
    this.#grow(of, text.length)
  }

  /** Returns the newest step if it is one of the agent, and short enough to be continued. */
  #agentStep(): Held | null {
    const last = this.#held.at(-1)
    return last?.step.source === 'agent' && last.length < longestStep ? last : null
  }

  #newStep(source: TrajectorySource, at: string | null, message: string, extra?: Readonly<Record<string, unknown>>): Held {
    this.#steps += 1
    const step: OpenStep = {
      step_id: this.#steps,
      ...(at === null ? {} : { timestamp: at }),
      source,
      message,
      ...(extra === undefined ? {} : { extra }),
    }
    const held: Held = { step, ids: new Set(), waiting: 0, length: 0 }
    this.#held.push(held)
    this.#grow(held, message.length)
    return held
  }

  #freeId(id: string, { ids }: Held): string {
    let free = id
    while (free === '' || ids.has(free)) {
      this.#renamed += 1
      free = `${id}#${this.#renamed}`
    }
    return free
  }

  #grow(held: Held, length: number): void {
    const whole = length + overhead
    held.length += whole
    this.#heldLength += whole
  }

  #release(count: number): readonly TrajectoryStep[] {
    const released = this.#held.splice(0, count)
    for (const { length } of released) this.#heldLength -= length
    return released.map(({ step }) => step)
  }
}

/** What a step, a call or a result takes besides its text, in characters. */
const overhead = 200

/** Returns the input of a call as an object, because ATIF allows nothing else. */
function argumentsOf(input: unknown): Readonly<Record<string, unknown>> {
  if (input === null || input === undefined) return {}
  return typeof input === 'object' && !Array.isArray(input) ? (input as Readonly<Record<string, unknown>>) : { input }
}

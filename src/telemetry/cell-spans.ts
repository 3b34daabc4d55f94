import type { AgentEvent, TokenUsage } from '../adapters/output/agent-events.ts'
import { redact } from '../base/errors.ts'
import type { ModelCall } from '../cell/cell.ts'
import type { CellAgent } from '../cell/plan/spec.ts'
import type { CellReport } from '../cell/report.ts'
import type { CellTrace } from './current-telemetry.ts'
import { operationOf, providerOf, secondBounds, tokenBounds } from './genai-names.ts'
import type { Attributes, Histogram, HistogramPoint, Span } from './otlp-json.ts'
import { newSpanId, type TraceContext } from './trace-context.ts'

/** The maximum number of spans of one cell. Further ones are counted. */
const mostSpans = 5_000
/** The maximum number of characters of an argument or a result that are sent, if content is wanted. */
const mostContent = 8_192

interface OpenTool {
  readonly spanId: string
  readonly startedAt: number
  readonly attributes: Attributes
}

/** Collects the spans and metrics of one cell. No prompt and no output is in them, except of tools if `content` is true. */
export class CellSpans implements Pick<CellTrace, 'event'> {
  readonly #agent: CellAgent
  readonly #context: TraceContext
  readonly #parent: TraceContext | null
  readonly #content: boolean
  readonly #spans: Span[] = []
  readonly #open = new Map<string, OpenTool>()
  readonly #durations: HistogramPoint[] = []
  #dropped = 0
  #usage: TokenUsage | null = null
  #conversation: string | undefined

  constructor(agent: CellAgent, context: TraceContext, parent: TraceContext | null, content: boolean) {
    this.#agent = agent
    this.#context = context
    this.#parent = parent
    this.#content = content
  }

  modelCall({ host, port, path, status, failure, durationMs, endedAt }: ModelCall): void {
    const operation = operationOf(path)
    const attributes = { ...this.#genAi(operation), 'server.address': host, 'server.port': port, 'error.type': failure ?? undefined }
    this.#measure(attributes, durationMs)
    this.#add({
      spanId: newSpanId(),
      name: this.#named(operation, this.#agent.model),
      kind: 'client',
      startedAt: endedAt - durationMs,
      endedAt,
      attributes: { ...attributes, 'http.response.status_code': status === 0 ? undefined : status },
      error: failure,
    })
  }

  event(event: AgentEvent, now: number = Date.now()): void {
    if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'conversation') this.#conversation = event.id
    else if (event.type === 'tool-call') this.#toolCalled(event, now)
    else if (event.type === 'tool-result') this.#toolEnded(event.id, now, event.ok ? null : 'failed', this.#shown('result', event.text))
  }

  /** Returns everything about the cell, once it has ended. */
  end(report: CellReport): { readonly spans: readonly [Span, ...Span[]]; readonly histograms: readonly Histogram[] } {
    const endedAt = Date.parse(report.endedAt)
    for (const id of [...this.#open.keys()]) this.#toolEnded(id, endedAt, 'unfinished', {})
    const root = this.#rootOf(report)
    if (this.#isGenAi) this.#measure({ ...this.#genAi('invoke_agent'), 'error.type': root.error ?? undefined }, report.durationMs)
    return { spans: [root, ...this.#spans], histograms: this.#histograms() }
  }

  get #isGenAi(): boolean {
    return this.#agent.family !== 'none'
  }

  #genAi(operation: string): Attributes {
    return {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': providerOf(this.#agent),
      'gen_ai.request.model': this.#agent.model ?? undefined,
    }
  }

  #named(operation: string, what: string | null): string {
    return what === null ? operation : `${operation} ${what}`
  }

  #rootOf(report: CellReport): Span {
    const { ending } = report
    const code = ending.kind === 'exited' ? ending.code : undefined
    const error = code === 0 ? null : code === undefined ? ending.kind : `exit code ${code}`
    const genAi: Attributes = {
      ...this.#genAi('invoke_agent'),
      'gen_ai.agent.name': this.#agent.name,
      'gen_ai.agent.version': this.#agent.version ?? undefined,
      'gen_ai.conversation.id': this.#conversation,
      'gen_ai.response.model': this.#usage?.model ?? undefined,
      'gen_ai.usage.input_tokens': this.#usage?.input,
      'gen_ai.usage.output_tokens': this.#usage?.output,
    }
    return {
      spanId: this.#context.spanId,
      parent: this.#parent?.spanId ?? null,
      name: this.#isGenAi ? `invoke_agent ${this.#agent.name}` : report.name,
      kind: 'internal',
      startedAt: Date.parse(report.startedAt),
      endedAt: Date.parse(report.endedAt),
      attributes: {
        ...(this.#isGenAi ? genAi : {}),
        'error.type': error === null ? undefined : ending.kind === 'exited' ? 'exit-code' : ending.kind,
        'process.exit.code': code,
        'paddock.cell.id': report.cell,
        'paddock.cell.name': report.name,
        'paddock.cell.posture': report.posture,
        'paddock.cell.backend': report.backend,
        'paddock.cell.plan': report.planHash,
        'paddock.egress.mode': report.egress.mode,
        'paddock.egress.connections': report.egress.connections,
        'paddock.spans.dropped': this.#dropped === 0 ? undefined : this.#dropped,
      },
      error,
    }
  }

  #toolCalled({ id, name, input }: Extract<AgentEvent, { type: 'tool-call' }>, now: number): void {
    if (this.#open.size >= mostSpans) return
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      ...this.#shown('arguments', input),
    }
    this.#open.set(id, { spanId: newSpanId(), startedAt: now, attributes })
  }

  #toolEnded(id: string, endedAt: number, error: string | null, more: Attributes): void {
    const tool = this.#open.get(id)
    if (tool === undefined) return
    this.#open.delete(id)
    const { 'gen_ai.tool.name': name } = tool.attributes
    const attributes = { ...tool.attributes, ...more, 'error.type': error ?? undefined }
    this.#add({
      spanId: tool.spanId,
      name: `execute_tool ${name}`,
      kind: 'internal',
      startedAt: tool.startedAt,
      endedAt,
      attributes,
      error,
    })
  }

  #shown(part: 'arguments' | 'result', value: unknown): Attributes {
    if (!this.#content) return {}
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return { [`gen_ai.tool.call.${part}`]: redact(text ?? '').slice(0, mostContent) }
  }

  #add(span: Omit<Span, 'parent'>): void {
    if (this.#spans.length >= mostSpans) this.#dropped++
    else this.#spans.push({ ...span, parent: this.#context.spanId })
  }

  #measure(attributes: Attributes, durationMs: number): void {
    if (this.#durations.length < 2 * mostSpans) this.#durations.push({ attributes, values: [durationMs / 1000] })
  }

  #histograms(): readonly Histogram[] {
    const usage = this.#usage
    const tokens = (type: 'input' | 'output'): readonly HistogramPoint[] =>
      usage === null
        ? []
        : [
            {
              attributes: {
                ...this.#genAi('invoke_agent'),
                'gen_ai.response.model': usage.model ?? undefined,
                'gen_ai.token.type': type,
              },
              values: [usage[type]],
            },
          ]
    return [
      {
        name: 'gen_ai.client.token.usage',
        description: 'Number of input and output tokens used.',
        unit: '{token}',
        bounds: tokenBounds,
        points: [...tokens('input'), ...tokens('output')],
      },
      {
        name: 'gen_ai.client.operation.duration',
        description: 'Duration of operations of generative AI.',
        unit: 's',
        bounds: secondBounds,
        points: together(this.#durations),
      },
    ].filter(({ points }) => points.length > 0)
  }
}

/** Combines the points with the same attributes. */
function together(points: readonly HistogramPoint[]): readonly HistogramPoint[] {
  const found = Map.groupBy(points, ({ attributes }) => JSON.stringify(attributes))
  return [...found.values()].map((all) => ({ attributes: all[0]?.attributes ?? {}, values: all.flatMap(({ values }) => values) }))
}

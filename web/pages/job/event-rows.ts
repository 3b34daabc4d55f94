import { mainArgument } from '../../../src/base/tool-call.ts'
import { isForPeople } from '../../../src/base/unknown-line.ts'

/** One line of a transcript in the form that the server sends. */
export interface Line {
  readonly n: number
  readonly at: string
  readonly type: string
  readonly [key: string]: unknown
}

interface Placed {
  /** The number of the event, which identifies it in URLs. */
  readonly n: number
  readonly at: string
}

/** One row of the view of a job; several events may share a row. */
export type Row =
  | (Placed & { readonly kind: 'text'; readonly text: string })
  | (Placed & { readonly kind: 'raw'; readonly text: string })
  | (Placed & {
      readonly kind: 'call'
      readonly name: string
      readonly argument: string
      readonly input: string
      readonly result: CallResult | null
    })
  | (Placed & { readonly kind: 'trouble'; readonly text: string })
  | (Placed & {
      readonly kind: 'turn'
      /** The first and the last of the turns that it covers. Some agents report their use only at the end. */
      readonly from: number
      readonly turn: number
      readonly input: number
      readonly output: number
      readonly usd: number | null
    })

export interface CallResult {
  readonly ok: boolean
  readonly text: string
  readonly at: string
}

export type Show = 'all' | 'text' | 'calls' | 'errors'

export function isShown(row: Row, show: Show, words: string): boolean {
  if (words !== '' && !textOf(row).toLowerCase().includes(words)) return false
  switch (show) {
    case 'all':
      return true
    case 'text':
      return row.kind === 'text' || row.kind === 'raw'
    case 'calls':
      return row.kind === 'call'
    case 'errors':
      return isFailed(row)
  }
}

export const isFailed = (row: Row): boolean => row.kind === 'trouble' || (row.kind === 'call' && row.result?.ok === false)

function textOf(row: Row): string {
  if (row.kind === 'turn') return ''
  return row.kind === 'call' ? `${row.name} ${row.input} ${row.result?.text ?? ''}` : row.text
}

/** Converts events into rows. A call and its result share a row, which is replaced when the result arrives. */
export class Rows {
  readonly all: Row[] = []
  failed = 0
  calls = 0
  texts = 0
  readonly #open = new Map<string, number>()
  /** Turns are counted as the job's result counts them: answers with text or tool calls, until a tool answers. */
  #turns = 0
  #isInTurn = false
  #shownTurns = 0
  #usage: { input: number; output: number } = { input: 0, output: 0 }

  take(line: Line): void {
    const { n, at } = line
    if (line.type === 'text' || line.type === 'tool-call') {
      if (!this.#isInTurn) this.#turns += 1
      this.#isInTurn = true
    } else if (line.type === 'tool-result') this.#isInTurn = false
    const text = (key: string): string => asText(line[key])
    switch (line.type) {
      case 'text':
        this.texts += 1
        this.all.push({ kind: 'text', n, at, text: text('text') })
        break
      case 'unknown':
        if (!isForPeople(text('line'))) break
        this.texts += 1
        this.all.push({ kind: 'raw', n, at, text: text('line') })
        break
      case 'tool-call':
        this.calls += 1
        this.#open.set(text('id'), this.all.length)
        this.all.push({
          ...{
            kind: 'call',
            n,
            at,
            name: text('name'),
            argument: mainArgument(line['input']).slice(0, 400),
            input: inputText(line['input']),
          },
          result: null,
        })
        break
      case 'tool-result':
        this.#take(text('id'), { ok: line['ok'] === true, text: text('text'), at }, n)
        break
      case 'error':
      case 'rate-limit':
      case 'login-needed':
        this.failed += 1
        this.all.push({ kind: 'trouble', n, at, text: text('message') })
        break
      case 'usage':
        this.#turn(n, at, line['usage'] as { input?: number; output?: number } | undefined)
        break
      case 'cost': {
        // The cost is reported for the whole run, right after the usage.
        const place = this.all.findLastIndex(({ kind }) => kind === 'turn')
        const last = this.all[place]
        if (last?.kind === 'turn' && typeof line['usd'] === 'number') this.all[place] = { ...last, usd: line['usd'] }
        break
      }
      case 'result':
        // A CLI repeats its last text as the result.
        if (text('text') !== '' && this.#lastText() !== text('text')) {
          this.texts += 1
          this.all.push({ kind: 'text', n, at, text: text('text') })
        }
        break
      default:
        break
    }
  }

  #take(id: string, result: CallResult, n: number): void {
    if (!result.ok) this.failed += 1
    const place = this.#open.get(id)
    const call = place === undefined ? undefined : this.all[place]
    if (place === undefined || call?.kind !== 'call') {
      this.all.push({ kind: 'call', n, at: result.at, name: 'result', argument: '', input: '', result })
      return
    }
    this.#open.delete(id)
    this.all[place] = { ...call, result }
  }

  /** Adds a turn. `usage` is the total of the run, so the turn's use is the difference to the last total. */
  #turn(n: number, at: string, usage: { input?: number; output?: number } | undefined): void {
    const { input = 0, output = 0 } = usage ?? {}
    const used = { input: input - this.#usage.input, output: output - this.#usage.output }
    if (used.input <= 0 && used.output <= 0) return
    this.#usage = { input, output }
    const more = { input: Math.max(0, used.input), output: Math.max(0, used.output) }
    const place = this.all.findLastIndex(({ kind }) => kind === 'turn')
    const last = this.all[place]
    // A total at the end may add to turns that are listed already.
    if (last?.kind === 'turn' && this.#turns <= this.#shownTurns) {
      this.all[place] = { ...last, input: last.input + more.input, output: last.output + more.output }
      return
    }
    const turn = Math.max(1, this.#turns)
    this.all.push({ kind: 'turn', n, at, from: Math.min(turn, this.#shownTurns + 1), turn, ...more, usd: null })
    this.#shownTurns = turn
  }

  #lastText(): string | null {
    for (let place = this.all.length - 1; place >= 0; place -= 1) {
      const row = this.all[place]
      if (row?.kind === 'text') return row.text
    }
    return null
  }
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : JSON.stringify(value)
}

function inputText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return asText(value)
  const entries = Object.entries(value)
  // A single text, such as a command, is easier to read without braces.
  const [only] = entries
  if (entries.length === 1 && only !== undefined && typeof only[1] === 'string') return only[1]
  return JSON.stringify(value, null, 2)
}

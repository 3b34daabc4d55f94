import { randomBytes } from 'node:crypto'
import type { AuditSink } from '../../audit/event.ts'
import { identify } from '../../system/process-identity.ts'
import { Allowance } from '../policy/egress-allowance.ts'
import type { ApprovalAnswer, ApprovalQuestion, Approver } from './approval.ts'
import type { OpenQuestion } from './approval-schema.ts'
import { askable, keyOf, type Readable, withoutQuery } from './asked.ts'
import { type GivenAnswer, OpenQuestions } from './open-questions.ts'
import { remember, rememberedAnswer } from './remembered.ts'

/** The terminal that started the run. `ask` resolves to null if nobody answers there before the signal is aborted. */
export interface ApprovalTerminal {
  ask(question: OpenQuestion, signal: AbortSignal): Promise<GivenAnswer | null>
}

export interface ApprovalsOptions {
  readonly stateDirectory: string
  readonly configDirectory: string
  readonly audit: AuditSink
  /** Milliseconds that a question waits for an answer. Default: 120,000. */
  readonly timeoutMs?: number
  /** Maximum number of open questions of one cell. Any further question is answered with no. Default: 20. */
  readonly maxPending?: number
  readonly terminal?: ApprovalTerminal
  /** Called for each new question that is not asked in a terminal, with the number of questions that were already open. */
  readonly notice?: (question: OpenQuestion, before: number) => void
}

export interface Approvals {
  readonly approve: Approver
  /** Answers every open question with no. */
  close(): void
}

interface Asking {
  readonly cell: string
  readonly answer: Promise<ApprovalAnswer>
  readonly withdrawn: AbortController
  waiting: number
  /** True once a yes with scope `once` has been used by one request. The other requests that waited for it ask again. */
  taken: boolean
}

const no = (by: ApprovalAnswer['by']): ApprovalAnswer => ({ allowed: false, scope: 'once', by })
/** Milliseconds in which a process that claimed a question must write the answer to disk. */
const writingMs = 2_000
/** Maximum number of answers kept for one cell. */
const maxKept = 1_000
/** Limits for audit events about approvals, per process: `burst` at once, then `perSecond`. Further events are only counted. */
const burst = 2_000
const perSecond = 20

/** Creates the approver for all cells of this process. */
export function openApprovals(options: ApprovalsOptions): Approvals {
  const desk = new Desk(options)
  return { approve: (question, signal) => desk.approve(question, signal), close: () => desk.close() }
}

class Desk {
  readonly #options: ApprovalsOptions
  readonly #store: OpenQuestions
  readonly #open = new Map<string, Asking>()
  readonly #kept = new Map<string, Map<string, boolean>>()
  readonly #self = identify(process.pid)
  readonly #told = new Set<string>()
  #closed = false
  readonly #allowance = new Allowance(burst, perSecond)
  #unwritten = 0

  constructor(options: ApprovalsOptions) {
    this.#options = options
    this.#store = new OpenQuestions(options.stateDirectory)
    // Listing removes the files of processes that have exited.
    void this.#store.list().catch(() => undefined)
  }

  async approve(asked: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    const question = askable(asked)
    if (question === null) {
      const { method = '', path = '' } = asked.request ?? {}
      const start = { method: method.slice(0, 40), path: `${path.slice(0, 200)}…`, length: path.length }
      this.#record('approval.answered', { ...asked, request: asked.request === null ? null : start }, { ...no('unreadable') })
      return no('unreadable')
    }
    for (;;) {
      const answer = await this.#answer(question, signal)
      if (answer !== null) return answer
    }
  }

  /** Returns the answer to a question; null if another request that asked the same question has used the answer. */
  async #answer(question: Readable, signal: AbortSignal): Promise<ApprovalAnswer | null> {
    if (this.#closed || signal.aborted) return no('end')
    const key = keyOf(question)
    const known = this.#kept.get(question.cell)?.get(key) ?? rememberedAnswer(this.#options.configDirectory, question)
    if (known !== null) {
      const answer: ApprovalAnswer = { allowed: known, scope: 'cell', by: 'remembered' }
      const whole = `${question.cell} ${key}`
      // Recorded once for each cell, because a remembered answer may be used thousands of times a second.
      if (!this.#told.has(whole) && this.#told.size < 10 * maxKept) {
        this.#told.add(whole)
        this.#record('approval.answered', question, { ...answer })
      }
      return answer
    }
    const asking = this.#open.get(`${question.cell} ${key}`) ?? this.#begin(question, key)
    if (asking === null) {
      this.#record('approval.answered', question, { ...no('room') })
      return no('room')
    }
    const answer = await this.#wait(asking, signal)
    if (!answer.allowed || answer.scope !== 'once') return answer
    if (asking.taken) return null
    asking.taken = true
    return answer
  }

  close(): void {
    this.#closed = true
    for (const { withdrawn } of this.#open.values()) withdrawn.abort()
  }

  /** Waits for the answer. A request that is aborted leaves the question to the other waiting requests; the last one withdraws it. */
  async #wait(asking: Asking, signal: AbortSignal): Promise<ApprovalAnswer> {
    asking.waiting++
    const gone = Promise.withResolvers<ApprovalAnswer>()
    const leave = (): void => gone.resolve(no('end'))
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([asking.answer, gone.promise])
    } finally {
      signal.removeEventListener('abort', leave)
      if (--asking.waiting === 0) asking.withdrawn.abort()
    }
  }

  #begin(question: Readable, key: string): Asking | null {
    const before = [...this.#open.values()].filter(({ cell }) => cell === question.cell).length
    const most = this.#options.maxPending ?? 20
    if (before >= most || this.#open.size >= 10 * most) return null
    const whole = `${question.cell} ${key}`
    const withdrawn = new AbortController()
    const answer = this.#ask(question, key, withdrawn.signal)
      .catch(() => no('end'))
      .finally(() => this.#open.delete(whole))
    const asking: Asking = { cell: question.cell, answer, withdrawn, waiting: 0, taken: false }
    this.#open.set(whole, asking)
    return asking
  }

  async #ask(question: Readable, key: string, withdrawn: AbortSignal): Promise<ApprovalAnswer> {
    const before = this.#open.size
    const timeoutMs = this.#options.timeoutMs ?? 120_000
    const id = randomBytes(4).toString('hex')
    const now = Date.now()
    const open: OpenQuestion = {
      schemaVersion: 1,
      id,
      askedAt: new Date(now).toISOString(),
      expiresAt: new Date(now + timeoutMs).toISOString(),
      ...question,
      asker: (await this.#self) ?? { pid: process.pid, started: 'unknown' },
    }
    this.#record('approval.asked', question, { id })
    const over = new AbortController()
    let answer = no('end')
    try {
      // A question without a file can still be answered in the terminal.
      const filed = await this.#store.put(open).then(
        () => true,
        () => false,
      )
      answer = await this.#decide(open, { filed, before, timeoutMs, over: over.signal, withdrawn })
    } finally {
      over.abort()
      await this.#store.remove(id)
    }
    const kept = answer.scope === 'once' || (await this.#keep(question, key, answer))
    this.#record('approval.answered', question, { id, ...answer, ...(kept ? {} : { kept }) })
    return answer
  }

  /**
   * Returns the first of: terminal, another terminal, timeout, all waiting requests gone. Of two answers, the file decides which was first.
   */
  async #decide(
    open: OpenQuestion,
    how: {
      readonly filed: boolean
      readonly before: number
      readonly timeoutMs: number
      readonly over: AbortSignal
      readonly withdrawn: AbortSignal
    },
  ): Promise<ApprovalAnswer> {
    const { terminal, notice } = this.#options
    const stop = AbortSignal.any([how.over, how.withdrawn])
    const first = Promise.withResolvers<ApprovalAnswer>()
    const timer = setTimeout(() => first.resolve(no('time')), how.timeoutMs)
    const withdraw = (): void => first.resolve(no('end'))
    how.withdrawn.addEventListener('abort', withdraw, { once: true })
    if (how.withdrawn.aborted) withdraw()
    const take = (by: 'terminal' | 'command') => (given: GivenAnswer | null) => {
      if (given !== null) first.resolve({ ...given, by })
    }
    const command = how.filed ? this.#store.answered(open.id, how.over) : Promise.resolve(null)
    void command.then(take('command'))
    if (terminal === undefined) notice?.(open, how.before)
    else void terminal.ask(open, stop).then(take('terminal'), () => undefined)
    const answer = await first.promise
    clearTimeout(timer)
    if (answer.by === 'command' || !how.filed || (await this.#store.claim(open.id))) return answer
    const given = await Promise.race([command, new Promise<null>((resolve) => setTimeout(resolve, writingMs, null).unref())])
    return given === null ? no(answer.by === 'terminal' ? 'end' : answer.by) : { ...given, by: 'command' }
  }

  /** Keeps an answer. Returns false if one with scope `always` could not be written to disk. It still applies to this cell. */
  async #keep(question: Readable, key: string, { allowed, scope }: ApprovalAnswer): Promise<boolean> {
    const kept = this.#kept.get(question.cell) ?? new Map<string, boolean>()
    this.#kept.set(question.cell, kept)
    if (kept.size < maxKept) kept.set(key, allowed)
    if (scope !== 'always') return true
    return remember(this.#options.configDirectory, question, allowed).then(
      () => true,
      () => false,
    )
  }

  #record(kind: string, question: Readable, more: Record<string, unknown>): void {
    if (!this.#allowance.take()) {
      this.#unwritten++
      return
    }
    const { cell, host, port, request, source } = question
    const unwritten = this.#unwritten === 0 ? {} : { unwritten: this.#unwritten }
    this.#unwritten = 0
    this.#options.audit({ kind, cell, data: { host, port, request: withoutQuery(request), source, ...more, ...unwritten } })
  }
}

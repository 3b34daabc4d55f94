import { PaddockError } from '../../errors.ts'
import type { CallAnswer, CallFrame } from '../host-process/calls.ts'

/** What a job asks a human, while it waits. */
export interface Question {
  readonly id: string
  readonly kind: 'ask' | 'tool'
  readonly agent: string
  readonly job: string
  /** What it asks, or the tool and its input; a model wrote it. */
  readonly text: string
  /** When this server first heard of it. */
  readonly askedAt: string
  readonly expiresAt: string
}

/** What a human says to it. */
export interface Answer {
  /** Of a tool: whether it may be called. Of a question: whether there is an answer. */
  readonly allowed: boolean
  readonly text: string
}

/** Answers kept to tell those who come too late. */
const mostKept = 1_000

interface Open {
  readonly question: Question
  readonly reply: (answer: Pick<CallAnswer, 'ok' | 'text'>) => void
}

/** The questions of all jobs that run. Nothing of them has to survive: their host processes ask again whenever a server comes. */
export class Questions {
  readonly #open = new Map<string, Open>()
  /** Who answered which, the newest last. */
  readonly #answered = new Map<string, string>()

  /** One that is already there is replaced: its host process asks by another connection. */
  add({ job, call, what }: CallFrame, agent: string, reply: Open['reply']): void {
    if (what.type !== 'ask' && what.type !== 'allow') return
    const text = what.type === 'ask' ? what.question : `${what.tool} ${what.input}`
    const id = questionId(job, call)
    const kind = what.type === 'ask' ? 'ask' : 'tool'
    const askedAt = this.#open.get(id)?.question.askedAt ?? new Date().toISOString()
    this.#open.set(id, { question: { id, kind, agent, job, text, askedAt, expiresAt: what.expiresAt }, reply })
  }

  /** It does not wait any more. */
  withdraw(job: string, call: string): void {
    this.#open.delete(questionId(job, call))
  }

  /** A job has ended, or is lost. */
  ended(job: string): void {
    for (const [id, { question }] of this.#open) if (question.job === job) this.#open.delete(id)
  }

  /** In the order in which they end by themselves. */
  list(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question).sort((one, other) => one.expiresAt.localeCompare(other.expiresAt))
  }

  /**
   * Gives an answer. The first one counts.
   * @throws PaddockError CONFLICT if it was answered, NOT_FOUND if nobody waits for it
   */
  answer(id: string, { allowed, text }: Answer, by: string): Question {
    const open = this.#open.get(id)
    if (open === undefined) {
      const before = this.#answered.get(id)
      if (before !== undefined) throw new PaddockError('CONFLICT', `${before} answered it before.`)
      throw new PaddockError('NOT_FOUND', `No question ${id} waits for an answer.`, { hint: 'Run: paddock inbox' })
    }
    this.#open.delete(id)
    this.#answered.set(id, by)
    if (this.#answered.size > mostKept) this.#answered.delete(this.#answered.keys().next().value ?? '')
    open.reply(replyTo(open.question, { allowed, text }))
    return open.question
  }
}

function replyTo({ kind }: Question, { allowed, text }: Answer): Pick<CallAnswer, 'ok' | 'text'> {
  if (allowed) return { ok: true, text: kind === 'ask' ? text : '' }
  const why = text === '' ? '' : `: ${text}`
  return { ok: false, text: kind === 'ask' ? `Nobody wants to answer that${why}.` : `A human did not allow this call${why}.` }
}

function questionId(job: string, call: string): string {
  return `${job}-${call}`
}

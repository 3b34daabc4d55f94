import { PaddockError } from '../../base/errors.ts'
import type { CallAnswer, CallFrame } from '../host-process/calls.ts'

/** A question of a waiting job to a human. */
export interface Question {
  readonly id: string
  readonly kind: 'ask' | 'tool'
  readonly agent: string
  readonly job: string
  /** The question, or the tool and its input, written by a model. */
  readonly text: string
  /** The time when this server first received the question. */
  readonly askedAt: string
  readonly expiresAt: string
}

/** The answer of a human. */
export interface Answer {
  /** For a tool: whether it may be called. For a question: whether there is an answer. */
  readonly allowed: boolean
  readonly text: string
}

/** The most answers kept for error messages to people who answer too late. */
const mostKept = 1_000

interface Open {
  readonly question: Question
  readonly reply: (answer: Pick<CallAnswer, 'ok' | 'text'>) => void
}

/** The open questions of all running jobs. They need not survive: host processes repeat them whenever a server connects. */
export class Questions {
  readonly #open = new Map<string, Open>()
  /** The people who answered, by question, newest last. */
  readonly #answered = new Map<string, string>()

  /** Adds a question. An earlier entry is replaced, because the host process now asks over another connection. */
  add({ job, call, what }: CallFrame, agent: string, reply: Open['reply']): void {
    if (what.type !== 'ask' && what.type !== 'allow') return
    const text = what.type === 'ask' ? what.question : `${what.tool} ${what.input}`
    const id = questionId(job, call)
    const kind = what.type === 'ask' ? 'ask' : 'tool'
    const askedAt = this.#open.get(id)?.question.askedAt ?? new Date().toISOString()
    this.#open.set(id, { question: { id, kind, agent, job, text, askedAt, expiresAt: what.expiresAt }, reply })
  }

  /** Removes a question that no longer waits. */
  withdraw(job: string, call: string): void {
    this.#open.delete(questionId(job, call))
  }

  /** Removes the questions of a job that has ended or is lost. */
  ended(job: string): void {
    for (const [id, { question }] of this.#open) if (question.job === job) this.#open.delete(id)
  }

  /** Returns the questions in the order in which they expire. */
  list(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question).sort((one, other) => one.expiresAt.localeCompare(other.expiresAt))
  }

  /**
   * Answers a question. Only the first answer counts.
   * @throws PaddockError CONFLICT if the question was answered, NOT_FOUND if it does not wait for an answer
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
  return { ok: false, text: kind === 'ask' ? `The question was declined${why}.` : `This call was denied${why}.` }
}

function questionId(job: string, call: string): string {
  return `${job}-${call}`
}

import { existsSync, watch } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { isRunning } from '../../system/process-identity.ts'
import type { ApprovalAnswer } from './approval.ts'
import { answerSchema, type OpenQuestion, openQuestionSchema } from './approval-schema.ts'

export type GivenAnswer = Pick<ApprovalAnswer, 'allowed' | 'scope'>

const maxBytes = 64 * 1024
const maxListed = 1_000
const pollMs = 250

/**
 * The open questions of all processes of this user, stored as files. The process that renames a question's file decides it: with an answer
 * from another terminal, with one given at the prompt, or with a timeout. Only one process can succeed.
 */
export class OpenQuestions {
  readonly #pending: string
  readonly #answers: string

  constructor(stateDirectory: string) {
    this.#pending = path.join(stateDirectory, 'approvals', 'pending')
    this.#answers = path.join(stateDirectory, 'approvals', 'answers')
  }

  async put(question: OpenQuestion): Promise<void> {
    for (const each of [this.#pending, this.#answers]) await mkdir(each, { recursive: true, mode: 0o700 })
    await writeJson(path.join(this.#pending, `${question.id}.json`), question, { mode: 0o600 })
  }

  /** Returns the questions whose asking process is still running, oldest first. Removes the files of the others. */
  async list(): Promise<readonly OpenQuestion[]> {
    const open: OpenQuestion[] = []
    for (const [directory, ending] of [
      [this.#pending, '.json'],
      [this.#answers, '.claim'],
    ] as const) {
      for (const name of (await namesIn(directory)).filter((each) => each.endsWith(ending)).slice(0, maxListed)) {
        const question = parsed(path.join(directory, name), openQuestionSchema)
        if (question !== null && (await isRunning(question.asker))) {
          if (ending === '.json') open.push(question)
        } else if (question !== null) await this.remove(question.id)
      }
    }
    return open.sort((a, b) => a.askedAt.localeCompare(b.askedAt))
  }

  /** Returns true if the caller may decide the question. */
  async claim(id: string): Promise<boolean> {
    try {
      await rename(path.join(this.#pending, `${id}.json`), path.join(this.#answers, `${id}.claim`))
      return true
    } catch {
      return false
    }
  }

  /**
   * Answers a question of any process.
   * @throws PaddockError NOT_FOUND if there is no open question with this id or the run that asked is over; CONFLICT if it has been
   *   answered.
   */
  async answer(id: string, { allowed, scope }: GivenAnswer): Promise<OpenQuestion> {
    const list = { hint: 'The open questions: paddock approvals' }
    if (!/^[0-9a-f]{8}$/.test(id)) throw new PaddockError('BAD_INPUT', `${JSON.stringify(id)} is not the id of a question.`, list)
    const question = parsed(path.join(this.#pending, `${id}.json`), openQuestionSchema)
    if (question !== null && !(await isRunning(question.asker))) {
      await this.remove(id)
      throw new PaddockError('NOT_FOUND', `Question ${id} can no longer be answered: the run that asked is over.`, list)
    }
    if (question === null || !(await this.claim(id))) {
      throw existsSync(path.join(this.#answers, `${id}.claim`))
        ? new PaddockError('CONFLICT', `Question ${id} has been answered already.`, list)
        : new PaddockError('NOT_FOUND', `There is no open question ${id}: it was answered, or its time is over.`, list)
    }
    await writeJson(path.join(this.#answers, `${id}.json`), { schemaVersion: 1, id, allowed, scope }, { mode: 0o600 })
    return question
  }

  /** Returns the answer that another process gives, or null if the signal is aborted first. */
  answered(id: string, signal: AbortSignal): Promise<GivenAnswer | null> {
    const file = path.join(this.#answers, `${id}.json`)
    return new Promise((resolve) => {
      const end = (found: GivenAnswer | null): void => {
        clearInterval(timer)
        watcher?.close()
        signal.removeEventListener('abort', stop)
        resolve(found)
      }
      const stop = (): void => end(null)
      const look = (): void => {
        const found = existsSync(file) ? parsed(file, answerSchema) : null
        if (found !== null) end({ allowed: found.allowed, scope: found.scope })
      }
      const timer = setInterval(look, pollMs)
      const watcher = watching(this.#answers, look)
      signal.addEventListener('abort', stop)
      if (signal.aborted) stop()
      else look()
    })
  }

  async remove(id: string): Promise<void> {
    for (const file of [
      path.join(this.#pending, `${id}.json`),
      path.join(this.#answers, `${id}.json`),
      path.join(this.#answers, `${id}.claim`),
    ])
      await rm(file, { force: true }).catch(() => undefined)
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => [])
}

function parsed<T>(file: string, schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } }): T | null {
  const text = readRegularSync(file, maxBytes)
  if (text === null) return null
  try {
    const found = schema.safeParse(JSON.parse(text))
    return found.success ? found.data : null
  } catch {
    return null
  }
}

/** Watches a directory. Returns null if the system cannot watch it, in which case polling is enough. */
function watching(directory: string, changed: () => void): { close(): void } | null {
  try {
    return watch(directory, changed).on('error', () => undefined)
  } catch {
    return null
  }
}

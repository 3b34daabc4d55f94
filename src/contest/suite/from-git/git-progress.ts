import * as z from 'zod'
import { writeJson } from '../../../files/atomic.ts'
import { readRegular } from '../../../files/read-regular.ts'
import { storedOrNull } from '../../../files/stored-json.ts'

const progressSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** Identifies the options: with others, a commit may not be left out. */
  options: z.string(),
  leftOut: z.record(z.string(), z.string()),
})
const mostBytes = 64 * 1024 ** 2

/**
 * The commits that an unfinished `suite from-git` left out after it ran their tests, so that the next one does not run them again. A finished
 * one removes the file.
 */
export class GitProgress {
  readonly #file: string
  readonly #options: string
  readonly #leftOut: Record<string, string>

  private constructor(file: string, options: string, leftOut: Record<string, string>) {
    this.#file = file
    this.#options = options
    this.#leftOut = leftOut
  }

  /** Reads the file. One that is not valid, or belongs to other options, counts as empty. */
  static async open(file: string, options: string): Promise<GitProgress> {
    const read = await readRegular(file, mostBytes)
    const progress = storedOrNull(file, read.ok ? read.bytes : null, progressSchema)
    return new GitProgress(file, options, progress?.options === options ? progress.leftOut : {})
  }

  /** The reason why a commit was left out; null: it was not. */
  reasonOf(commit: string): string | null {
    return Object.hasOwn(this.#leftOut, commit) ? (this.#leftOut[commit] ?? null) : null
  }

  async leaveOut(commit: string, reason: string): Promise<void> {
    this.#leftOut[commit] = reason
    await writeJson(this.#file, { schemaVersion: 1, options: this.#options, leftOut: this.#leftOut })
  }
}

import { Transform, type TransformCallback } from 'node:stream'

/** Maximum size of a JSON text that is read as a whole. A description of a repository has a few thousand bytes. */
const maxBytes = 1_048_576

/** Removes members from a JSON text, at any depth. Fails if the text is too long or is not JSON, because they cannot be found then. */
export class WithoutMembers extends Transform {
  readonly #names: ReadonlySet<string>
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor(names: readonly string[]) {
    super()
    this.#names = new Set(names)
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length
    this.#chunks.push(chunk)
    done(this.#bytes > maxBytes ? new Error('the answer is too long to be searched') : null)
  }

  override _flush(done: TransformCallback): void {
    try {
      const text = Buffer.concat(this.#chunks).toString('utf8')
      done(null, JSON.stringify(JSON.parse(text, (name, value: unknown) => (this.#names.has(name) ? undefined : value))))
    } catch (error) {
      done(error as Error)
    }
  }
}

import * as z from 'zod'

/** The largest frame in bytes. */
export const largestFrame = 256 * 1024
/** Larger content is sent in several frames of this size. */
const partBytes = 64 * 1024

export const sizeSchema = z.object({ columns: z.int().min(2).max(1_000), rows: z.int().min(1).max(1_000) })

/** The messages of a viewer; bytes are its keyboard input. */
export const fromViewer = z.discriminatedUnion('type', [
  /** The size of its window, which is the terminal's size while it types. */
  sizeSchema.extend({ type: z.literal('size') }),
  /** Takes control of the keyboard. */
  z.object({ type: z.literal('take') }),
  /** Gives up control. Nobody types until a viewer takes control. */
  z.object({ type: z.literal('release') }),
])
export type FromViewer = z.output<typeof fromViewer>

/** Who types, whether this viewer may type, and how many viewers there are. */
const company = { typist: z.string().nullable(), isYou: z.boolean(), mayType: z.boolean(), viewers: z.int() }

/** The messages to a viewer; bytes are for its terminal. */
export const toViewer = z.discriminatedUnion('type', [
  /** A new terminal of this size gets the bytes up to `live`: the whole screen and the lines above it. */
  sizeSchema.extend({ type: z.literal('screen'), ...company }),
  z.object({ type: z.literal('live') }),
  sizeSchema.extend({ type: z.literal('size') }),
  z.object({ type: z.literal('company'), ...company }),
  /** The program has ended. `why` is a sentence. This is the last message. */
  z.object({ type: z.literal('ended'), why: z.string() }),
  /** The viewer was too far behind; a new connection starts with the screen at that time. */
  z.object({ type: z.literal('slow') }),
])
export type ToViewer = z.output<typeof toViewer>

/** The bytes that an acknowledging viewer has received since its last report. It limits what the server requests from the host process. */
export const takenFrame = z.object({ type: z.literal('taken'), bytes: z.int().min(1) })

export type TakenFrame = z.output<typeof takenFrame>

/** Bytes, or JSON. */
export type ViewerFrame = Buffer | string

/** Returns content in parts, so that no frame is too large. */
export function partsOf(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += partBytes) parts.push(bytes.subarray(at, at + partBytes))
  return parts
}

/** Returns a frame for a stream: one byte (0: bytes, 1: JSON), the length as 4 bytes in network order, the content. */
export function encoded(frame: ViewerFrame): Buffer {
  const content = typeof frame === 'string' ? Buffer.from(frame) : frame
  const head = Buffer.alloc(5)
  head.writeUInt8(typeof frame === 'string' ? 1 : 0)
  head.writeUInt32BE(content.length, 1)
  return Buffer.concat([head, content])
}

/** Reads frames from a stream. */
export class FrameReader {
  #waiting: Buffer = Buffer.alloc(0)

  /** Returns the frames that are complete. Throws if one is too large or of an unknown kind. */
  take(chunk: Buffer): readonly ViewerFrame[] {
    const frames: ViewerFrame[] = []
    this.#waiting = this.#waiting.length === 0 ? chunk : Buffer.concat([this.#waiting, chunk])
    while (this.#waiting.length >= 5) {
      const [kind, length] = [this.#waiting.readUInt8(), this.#waiting.readUInt32BE(1)]
      if (kind > 1 || length > largestFrame) throw new Error('not a frame of a terminal')
      if (this.#waiting.length < 5 + length) break
      const content = this.#waiting.subarray(5, 5 + length)
      this.#waiting = this.#waiting.subarray(5 + length)
      frames.push(kind === 1 ? content.toString('utf8') : content)
    }
    return frames
  }
}

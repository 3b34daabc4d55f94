import * as z from 'zod'

/** The largest frame in bytes. */
export const largestFrame = 256 * 1024
/** The size of a frame's content in bytes; larger content is sent in several frames. */
const partBytes = 64 * 1024

export const sizeSchema = z.object({ columns: z.int().min(2).max(1_000), rows: z.int().min(1).max(1_000) })

/** The messages from a viewer; bytes are keyboard input. */
export const fromViewer = z.discriminatedUnion('type', [
  /** The size of the viewer's window. While the viewer types, this is the terminal's size. */
  sizeSchema.extend({ type: z.literal('size') }),
  /** Takes control of the keyboard. */
  z.object({ type: z.literal('take') }),
  /** Gives up control. Nobody types until a viewer takes control. */
  z.object({ type: z.literal('release') }),
])
export type FromViewer = z.output<typeof fromViewer>

/** The viewer who types, whether this viewer does (`isYou`) and may (`mayType`), and the number of viewers. */
const company = { typist: z.string().nullable(), isYou: z.boolean(), mayType: z.boolean(), viewers: z.int() }

/** The messages to a viewer; bytes are output for the viewer's terminal. */
export const toViewer = z.discriminatedUnion('type', [
  /** Starts a new terminal of this size. The bytes up to `live` are the whole screen and the lines above it. */
  sizeSchema.extend({ type: z.literal('screen'), ...company }),
  z.object({ type: z.literal('live') }),
  sizeSchema.extend({ type: z.literal('size') }),
  z.object({ type: z.literal('company'), ...company }),
  /** The program has ended. `why` is a sentence. This is the last message. */
  z.object({ type: z.literal('ended'), why: z.string() }),
  /** The viewer was too far behind. A new connection starts with the current screen. */
  z.object({ type: z.literal('slow') }),
])
export type ToViewer = z.output<typeof toViewer>

/** The bytes that an acknowledging viewer has received since its last report. They limit what the server requests from the host process. */
export const takenFrame = z.object({ type: z.literal('taken'), bytes: z.int().min(1) })

export type TakenFrame = z.output<typeof takenFrame>

/** The content of a frame: bytes, or JSON. */
export type ViewerFrame = Buffer | string

/** Splits content into parts, so that no frame is too large. */
export function partsOf(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += partBytes) parts.push(bytes.subarray(at, at + partBytes))
  return parts
}

/** Encodes a frame for a stream: one byte (0: bytes, 1: JSON), the length as 4 bytes in network order, and the content. */
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

  /** Returns the frames that are complete. Throws if a frame is too large or of an unknown kind. */
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

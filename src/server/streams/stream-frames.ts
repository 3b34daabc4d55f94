import type { Numbered } from './numbered.ts'
import type { Encoding } from './pump.ts'

/** The size of the largest frame that is sent, in bytes. */
export const largestFrame = 64 * 1024
/** The number of bytes per part. As base64, a part fits into a frame. */
const partBytes = 45_000
/** The size of `{"type":"items","items":[]}`, rounded up. */
const envelope = 64

/**
 * Returns the encoding of items as WebSocket frames, all of them JSON:
 * `{type: 'items', items}`; `{type: 'part', id, part, of, base64}`, parts 1 to `of` of the JSON of one item that is too large for a frame;
 * `{type: 'reset', position, first, last}`; `{type: 'heartbeat', position, last}`.
 */
export function frames<T>(source: Numbered<T>): Encoding<T> {
  return {
    *items(items) {
      let waiting: string[] = []
      let size = envelope
      const flush = (): { data: string; items: number } => {
        const frame = { data: `{"type":"items","items":[${waiting.join(',')}]}`, items: waiting.length }
        waiting = []
        size = envelope
        return frame
      }
      for (const item of items) {
        const text = JSON.stringify(item)
        const bytes = Buffer.byteLength(text)
        if (waiting.length > 0 && size + bytes + 1 > largestFrame) yield flush()
        if (envelope + bytes > largestFrame) yield* parts(source.numberOf(item), Buffer.from(text))
        else {
          waiting.push(text)
          size += bytes + 1
        }
      }
      if (waiting.length > 0) yield flush()
    },
    reset: (facts) => JSON.stringify({ type: 'reset', ...facts }),
    heartbeat: (facts) => JSON.stringify({ type: 'heartbeat', ...facts }),
  }
}

function* parts(id: number, text: Buffer): Iterable<{ readonly data: string; readonly items: number }> {
  const of = Math.ceil(text.length / partBytes)
  for (let part = 1; part <= of; part += 1) {
    const base64 = text.subarray((part - 1) * partBytes, part * partBytes).toString('base64')
    yield { data: JSON.stringify({ type: 'part', id, part, of, base64 }), items: part === of ? 1 : 0 }
  }
}

/** One event from a stream of server-sent events (WHATWG HTML, 9.2). */
export interface ServerEvent {
  /** The id of the event, or an empty string. */
  readonly id: string
  readonly event: string
  readonly data: string
}

/** Reads a stream of server-sent events to its end, without comments such as heartbeats. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  for await (const events of serverEventBlocks(body)) yield* events
}

/** Reads a stream in the same way, but yields all events of one read together, so that they can be drawn at once. */
export async function* serverEventBlocks(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly ServerEvent[]> {
  let [id, event] = ['', '']
  let data: string[] = []
  /** The parts of the unfinished line so far, stored separately so that a long line is not searched again with each part. */
  let parts: string[] = []
  let endsInReturn = false
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    let chunk = decoder.decode(bytes, { stream: true })
    if (chunk === '') continue
    // This is the second half of a CRLF that was split.
    if (endsInReturn && chunk.startsWith('\n')) chunk = chunk.slice(1)
    endsInReturn = chunk.endsWith('\r')
    const lines = chunk.split(/\r\n|\n|\r/)
    const rest = lines.pop() ?? ''
    if (lines.length === 0) {
      parts.push(rest)
      continue
    }
    lines[0] = parts.join('') + (lines[0] ?? '')
    parts = [rest]
    const events: ServerEvent[] = []
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push({ id, event: event === '' ? 'message' : event, data: data.join('\n') })
        ;[event, data] = ['', []]
        continue
      }
      const colon = line.indexOf(':')
      if (colon === 0) continue
      const name = colon < 0 ? line : line.slice(0, colon)
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (name === 'id') id = value
      if (name === 'event') event = value
      if (name === 'data') data.push(value)
    }
    if (events.length > 0) yield events
  }
}

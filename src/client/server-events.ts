/** One event of a stream of server-sent events (WHATWG HTML, 9.2). */
export interface ServerEvent {
  /** Empty: it has none. */
  readonly id: string
  readonly event: string
  readonly data: string
}

/** Reads a stream of server-sent events to its end; comments, such as heartbeats, are left out. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let [rest, id, event] = ['', '', '']
  let data: string[] = []
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split(/\r\n|\n|\r(?=.)/s)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { id, event: event === '' ? 'message' : event, data: data.join('\n') }
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
  }
}

import type { Socket } from 'node:net'
import { createServer } from 'node:tls'
import { internet } from './inspect-lab.ts'

export interface SeenRequest {
  readonly method: string
  readonly target: string
  /** `none`, `chunked`, or the declared length. */
  readonly framing: string
  readonly bytes: number
}

/** Returns a host that parses the byte stream of its connections strictly, records each request, and answers each complete one. */
export function strictHost(): { serve: (socket: Socket) => void; readonly seen: SeenRequest[]; readonly faults: string[] } {
  const seen: SeenRequest[] = []
  const faults: string[] = []
  const server = createServer({ ...internet.issue('a.example'), ALPNProtocols: ['http/1.1'] }, (socket) => {
    let held = ''
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      held += chunk.toString('latin1')
      for (;;) {
        const read = readRequest(held)
        if (read === null) return
        if (typeof read === 'string') {
          faults.push(`${read}: ${held.slice(0, 300)}`)
          return void socket.destroy()
        }
        held = held.slice(read.used)
        seen.push(read.request)
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Length: ${read.request.method === 'HEAD' ? 0 : 2}\r\n\r\n${read.request.method === 'HEAD' ? '' : 'ok'}`,
        )
      }
    })
  })
  server.on('tlsClientError', () => {})
  return { serve: (socket) => void server.emit('connection', socket), seen, faults }
}

/** Returns the first request of the text, null if it is incomplete, or a string that says what is wrong with it. */
function readRequest(text: string): { readonly request: SeenRequest; readonly used: number } | string | null {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [line = '', ...fields] = text.slice(0, end).split('\r\n')
  const [, method = '', target = ''] = /^([A-Z]+) (\/\S*) HTTP\/1\.1$/.exec(line) ?? []
  if (method === '') return 'the request line'
  const values = (name: string) =>
    fields.filter((each) => each.toLowerCase().startsWith(`${name}:`)).map((each) => each.slice(name.length + 1).trim())
  const lengths = values('content-length')
  const encodings = values('transfer-encoding')
  if (values('host').join() !== 'a.example') return 'the Host'
  if (lengths.length + encodings.length > 1) return 'two framings'
  const start = end + 4
  if (encodings.length === 1) {
    if (encodings[0] !== 'chunked') return 'the encoding'
    const chunks = readChunks(text, start)
    if (chunks === null || typeof chunks === 'string') return chunks
    return { request: { method, target, framing: 'chunked', bytes: chunks.bytes }, used: chunks.end }
  }
  const bytes = Number(lengths[0] ?? 0)
  if (text.length < start + bytes) return null
  return { request: { method, target, framing: lengths[0] ?? 'none', bytes }, used: start + bytes }
}

function readChunks(text: string, from: number): { readonly bytes: number; readonly end: number } | string | null {
  let bytes = 0
  for (let at = from; ; ) {
    const line = text.indexOf('\r\n', at)
    if (line < 0) return null
    const size = text.slice(at, line)
    if (!/^[0-9a-f]+$/i.test(size)) return 'a chunk'
    const length = Number.parseInt(size, 16)
    if (length === 0) {
      if (text.startsWith('\r\n', line + 2)) return { bytes, end: line + 4 }
      const end = text.indexOf('\r\n\r\n', line + 2)
      return end < 0 ? null : { bytes, end: end + 4 }
    }
    if (text.length < line + 4 + length) return null
    if (!text.startsWith('\r\n', line + 2 + length)) return 'the end of a chunk'
    bytes += length
    at = line + 4 + length
  }
}

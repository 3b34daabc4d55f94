import { performServerHandshake, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { internet } from './inspect-lab.ts'

interface Ends {
  readonly stream: ServerHttp2Stream
  readonly tls: TLSSocket
  readonly tcp: Socket
}

/** Ways in which a host closes a connection. */
export const leavings = {
  'a FIN': ({ tcp }: Ends) => void tcp.end(),
  'a close_notify and a FIN': ({ tls }: Ends) => void tls.end(),
  'a FIN of a process that has gone': ({ tcp }: Ends) => void tcp.destroy(),
  'a reset': ({ tcp }: Ends) => void tcp.resetAndDestroy(),
  'a GOAWAY and a FIN': ({ stream, tls }: Ends) => {
    stream.session?.goaway()
    setImmediate(() => tls.end())
  },
}

/** When it closes: before the head of an answer, in the middle of a body, after an answer, or with the last bytes of one. */
export type Moment = 'before the head' | 'in the middle' | 'when idle' | 'with the end'

/**
 * Returns an HTTP/2 host that closes the connection of a request for `/leave`, and answers every other request with `whole`.
 * `left` resolves when the other side has also closed that connection.
 */
export function leavingHost(moment: Moment, how: keyof typeof leavings, body: Buffer | string = 'whole') {
  const left = Promise.withResolvers<void>()
  const tcps: Socket[] = []
  const server = createServer({ ...internet.issue('a.example'), ALPNProtocols: ['h2'] }, (tls) => {
    const tcp = tcps.shift() as Socket
    const session = performServerHandshake(tls, {}).on('error', () => {})
    tls.on('error', () => {})
    session.on('stream', (stream: ServerHttp2Stream, headers) => {
      stream.on('error', () => {})
      const answer = () => {
        stream.respond({ ':status': 200 })
        stream.end(body)
      }
      if (headers[':path'] !== '/leave') return answer()
      for (const each of ['end', 'close']) tls.once(each, left.resolve)
      const leave = () => leavings[how]({ stream, tls, tcp })
      if (moment === 'before the head') return leave()
      if (moment === 'in the middle') {
        stream.respond({ ':status': 200 })
        return void stream.write('who', leave)
      }
      if (moment === 'when idle') stream.once('close', () => setTimeout(leave, 20))
      else stream.once('finish', () => setImmediate(leave))
      answer()
    })
  })
  server.on('tlsClientError', () => {})
  const serve = (socket: Socket) => {
    tcps.push(socket)
    server.emit('connection', socket)
  }
  return { serve, left: left.promise }
}

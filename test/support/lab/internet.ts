// The far side of the lab: an internet of a few hosts in a separate network namespace. Reports to its parent over IPC what arrives.
import { createSocket } from 'node:dgram'
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createSecureContext } from 'node:tls'
import { decode, encode, type Packet } from 'dns-packet'
import { makeIssuer } from '../../../src/egress/inspect/tls/authority.ts'

/** A connection, query or request that reached the internet. */
export interface Arrival {
  readonly kind: 'dns' | 'http' | 'https' | 'tcp' | 'udp'
  /** The address that was reached. */
  readonly at: string
  readonly port: number
  /** The queried name, or the Host header. */
  readonly name?: string
  /** The body of a POST, with its path and headers. */
  readonly posted?: { readonly path: string; readonly headers: Readonly<Record<string, unknown>>; readonly body: string }
}

/** The addresses of names. Each query for A gets the next list, and the last one is repeated. */
const answers: Record<string, readonly (readonly string[])[]> = {
  'public.example': [['93.184.216.34', '2606:2800:220:1::1']],
  'shop.example': [['93.184.216.35']],
  'wrong.example': [['93.184.216.34']],
  'redirect.example': [['93.184.216.34']],
  'private.example': [['10.1.2.3']],
  'shared.example': [['100.64.0.5']],
  'metadata.example': [['169.254.169.254']],
  'loopback.example': [['127.0.0.1']],
  'overlay.example': [['fd7a:115c:a1e0::1']],
  'mapped.example': [['::ffff:10.1.2.3']],
  'carried.example': [['64:ff9b::a01:203']],
  'mixed.example': [['10.1.2.3', '93.184.216.34']],
  'rebind.example': [['93.184.216.34'], ['10.1.2.3']],
}
const asked = new Map<string, number>()
const issuer = makeIssuer(['*'])

const plain = (address: string | undefined): string => (address ?? '').replace(/^::ffff:/, '')
function tell(arrival: Arrival): void {
  process.send?.(arrival)
}

function answer(query: Buffer): Buffer {
  const packet = decode(query)
  const question = packet.questions?.[0]
  const name = question?.name.toLowerCase() ?? ''
  const lists = answers[name]
  const head: Packet = { type: 'response', id: packet.id ?? 0, flags: 0x0180, questions: packet.questions ?? [] }
  if (lists === undefined || question === undefined) return encode({ ...head, flags: 0x0180 | 3 })
  const step = asked.get(name) ?? 0
  if (question.type === 'A') asked.set(name, step + 1)
  const list = lists[Math.min(step, lists.length - 1)] ?? []
  const data = list.filter((each) => (question.type === 'A' ? !each.includes(':') : question.type === 'AAAA' && each.includes(':')))
  const records = data.map((each) => ({ type: question.type as 'A' | 'AAAA', name: question.name, ttl: 0, data: each }))
  if (question.type === 'TXT')
    return encode({ ...head, answers: [{ type: 'TXT', name: question.name, ttl: 0, data: 'a text of the lab' }] })
  return encode({ ...head, answers: records })
}

const hung = new Set<string>()
/** Receives webhooks: a path under `/webhook/hang` never answers its first delivery, `/webhook/down` answers each with 503. */
async function takeWebhook(arrival: Arrival, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  tell({ ...arrival, posted: { path, headers: request.headers, body: (await buffer(request)).toString() } })
  if (!path.startsWith('/webhook/hang') || hung.has(path)) response.writeHead(path === '/webhook/down' ? 503 : 204).end()
  hung.add(path)
}

const serve =
  (kind: 'http' | 'https'): RequestListener =>
  (request, response) => {
    const { localAddress, localPort } = request.socket
    const arrival = { kind, at: plain(localAddress), port: localPort ?? 0, name: request.headers.host ?? '' }
    if (request.method === 'POST' && request.url?.startsWith('/webhook')) {
      void takeWebhook(arrival, request, response)
      return
    }
    tell(arrival)
    if (request.headers.host?.startsWith('redirect.')) {
      response.writeHead(302, { location: request.url?.slice(1) || 'http://10.1.2.3/' }).end()
      return
    }
    response.end(`lab ${plain(localAddress)} ${request.url}\n`)
  }

const servers = [
  createHttpServer(serve('http')).listen(80, '::'),
  createHttpsServer(
    {
      ...issuer.issue('public.example'),
      SNICallback: (name, done) => done(null, createSecureContext(issuer.issue(name === 'wrong.example' ? 'other.example' : name))),
    },
    serve('https'),
  ).listen(443, '::'),
  createServer((socket) => {
    tell({ kind: 'tcp', at: plain(socket.localAddress), port: 8022 })
    socket.on('error', () => undefined).end('SSH-2.0-lab\r\n')
  }).listen(8022, '::'),
]
for (const [port, kind] of [
  [53, 'dns'],
  [8023, 'udp'],
] as const) {
  // One socket per address, so that the answer comes from the address that was queried.
  for (const address of process.argv.slice(2)) {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
    socket.on('error', (error) => process.stderr.write(`${address}: ${error.message}\n`))
    socket.on('message', (message, from) => {
      if (kind === 'udp') {
        tell({ kind, at: address, port })
        socket.send('lab', from.port, from.address)
        return
      }
      tell({ kind, at: address, port, name: decode(message).questions?.[0]?.name ?? '' })
      socket.send(answer(message), from.port, from.address)
    })
    socket.bind(port, address)
  }
}
await Promise.all(servers.map((each) => new Promise((resolve) => (each.listening ? resolve(null) : each.once('listening', resolve)))))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: issuer.certificate })

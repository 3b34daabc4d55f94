import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ClientHttp2Session, connect as connectH2, type IncomingHttpHeaders } from 'node:http2'
import { buffer, text } from 'node:stream/consumers'
import { https1, https2, type InspectLab } from './inspect-lab.ts'

/** Returns an HTTP/1.1 request to the lab's host. */
export const say = (request: string, ...lines: string[]) => [`${request} HTTP/1.1`, 'Host: a.example', ...lines, '', ''].join('\r\n')
/** Sends one HTTP/1.1 request and returns the answer, head and body, once the server has closed. */
export async function once1(lab: InspectLab, head: string, body = ''): Promise<string> {
  const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
  client.on('error', () => {})
  client.write(head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n') + body)
  return text(client)
}
/** Opens an HTTP/2 session with the lab's host. */
export async function h2(lab: InspectLab): Promise<ClientHttp2Session> {
  const socket = await lab.tls({ ALPNProtocols: ['h2'] })
  await once(socket, 'secureConnect')
  return connectH2('https://a.example', { createConnection: () => socket }).on('error', () => {})
}
/** Sends one HTTP/2 request and returns the whole answer. */
export async function ask(session: ClientHttp2Session, headers: Record<string, string>, body?: Buffer | string) {
  const stream = session.request({ ':path': '/', ...headers }, { endStream: body === undefined })
  let trailers: IncomingHttpHeaders = {}
  stream.on('trailers', (found: IncomingHttpHeaders) => {
    trailers = found
  })
  stream.on('error', () => {})
  if (body !== undefined) stream.end(body)
  const answered = once(stream, 'response') as Promise<[IncomingHttpHeaders]>
  const bytes = buffer(stream)
  const [head] = await answered
  return { head, status: Number(head[':status']), body: await bytes, trailers }
}
/** Answers with the request as it arrived, including its fields. */
export const tell = (request: IncomingMessage, response: ServerResponse) => {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  request.on('end', () => response.end(JSON.stringify({ method: request.method, url: request.url, size, fields: request.rawHeaders })))
}
/** Hosts by the protocol that they speak. */
export const servers = {
  'HTTP/1.1': () => https1(tell),
  'HTTP/2': () => {
    const made = https2()
    made.server.on('request', tell as never)
    return made
  },
}

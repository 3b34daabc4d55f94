import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Json } from './json.ts'

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

export function sendJson(response: ServerResponse, status: number, body: Json, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Starts server-sent events. If `name` is null, there is no `event:` line. */
export function eventStream(response: ServerResponse): (name: string | null, data: Json) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  return (name, data) => {
    const body = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${name === null ? '' : `event: ${name}\n`}data: ${body}\n\n`)
  }
}
/** Splits a text into pieces, as a model would stream it. */
export function pieces(whole: string): readonly string[] {
  return whole.match(/[\s\S]{1,24}/gu) ?? ['']
}

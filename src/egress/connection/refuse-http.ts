import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type { Refusal } from '../http/http-stream.ts'

/** Milliseconds in which a client may read the answer. */
const readMs = 2_000

/** Texts for an agent that reads them. They contain no address, because a cell must not learn those of the host's network. */
const sentences: Partial<Record<Refusal['reason'], string>> = {
  'host-mismatch': 'the Host field names another host than the connection',
  'internal-address': 'the name means an internal address, and is not pinned',
  'not-approved': 'the user was not asked or did not allow it',
}

/** Returns the text for a denied request; null if the refusal is not a decision about the request. */
export function denialText(reason: Refusal['reason'], host: string, port: number): string | null {
  const sentence = sentences[reason]
  return sentence === undefined ? null : `paddock: denied (${reason}): ${host}:${port}: ${sentence}\n`
}

/**
 * Returns a reason for the cell, which must not learn the addresses of the host's network or which proxy leads out of it. What a proxy
 * answered stays, because an agent can do something about it.
 */
export function reasonForCell(text: string): string {
  return text
    .replaceAll(/\bthe proxy https?:\/\/\S+/gi, 'the proxy of this machine')
    .replace(/(the proxy of this machine cannot be reached) \((?:[^()]|\([^()]*\))*\)/, '$1')
    .replaceAll(/\b(connect [A-Z]{4,}) [\da-f.:]+(?: - Local \([^)]*\))?/g, '$1')
}

/** Answers a request on a connection that was refused with 403, and waits until the client has read it or has left. */
export async function refuseHttp(client: Duplex, text: string, signal: AbortSignal): Promise<void> {
  if (client.destroyed) return
  const fields = ['Content-Type: text/plain; charset=utf-8', `Content-Length: ${Buffer.byteLength(text)}`, 'Cache-Control: no-store']
  client.end(['HTTP/1.1 403 Forbidden', ...fields, 'Connection: close', '', text].join('\r\n'))
  // Everything that the client still sends is discarded.
  client.resume()
  await once(client, 'close', { signal: AbortSignal.any([signal, AbortSignal.timeout(readMs)]) }).catch(() => undefined)
}

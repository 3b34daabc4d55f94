import type { Socket } from 'node:net'
import { messageOf } from '../../base/errors.ts'

/** The most bytes that a proxy may send before it answers. */
const maxHead = 16 * 1_024

/** An error for a proxy that did not connect to a host. `message` is one sentence for people without the text of the proxy. */
export class ProxyFailure extends Error {}

/**
 * Asks a proxy to connect to a host (CONNECT; RFC 9110, section 9.3.6), and resolves when it has. The socket is paused then, and what the
 * host has sent already is pushed back. Rejects with `ProxyFailure`, or with the reason of the signal, and destroys the socket.
 * @param proxy the proxy as messages name it.
 * @param authorization the value of Proxy-Authorization; null: none is sent.
 */
export async function askProxy(
  socket: Socket,
  {
    proxy,
    host,
    port,
    authorization,
  }: { readonly proxy: string; readonly host: string; readonly port: number; readonly authorization: string | null },
  signal: AbortSignal,
): Promise<void> {
  const authority = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const answer = headOf(socket, signal)
  const login = authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n`)
  try {
    const { head, rest } = await answer
    const [first = '', ...lines] = head.split('\r\n')
    const status = Number(/^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(first)?.[1] ?? 0)
    const problem = problemOf(status, lines, authorization !== null)
    if (problem !== null) throw new ProxyFailure(`the proxy ${proxy} ${problem.replace('HOST', authority)}`)
    if (rest.length > 0) socket.unshift(rest)
  } catch (error) {
    socket.destroy()
    if (signal.aborted) throw signal.reason
    throw error instanceof ProxyFailure ? error : new ProxyFailure(`the proxy ${proxy} ${messageOf(error)}`)
  }
}

function problemOf(status: number, fields: readonly string[], hasLogin: boolean): string | null {
  if (status >= 200 && status < 300) return null
  if (status === 0 || status < 200) return 'did not answer as an HTTP proxy'
  if (status !== 407) return `refuses to connect to HOST (${status})`
  const schemes = fields.flatMap((each) => /^proxy-authenticate:\s*([a-z]+)/i.exec(each)?.[1]?.toLowerCase() ?? [])
  if (schemes.length > 0 && !schemes.includes('basic'))
    return `asks for a login by ${schemes.includes('negotiate') ? 'Kerberos or NTLM' : schemes.includes('ntlm') ? 'NTLM' : 'a method other than Basic'}, which Paddock does not support. A helper on this machine can sign in for it`
  return hasLogin ? 'does not accept the login (407)' : 'asks for a login (407)'
}

/** Reads up to the end of a head, and leaves the socket paused. */
function headOf(socket: Socket, signal: AbortSignal): Promise<{ readonly head: string; readonly rest: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ head: string; rest: Buffer }>()
  let all: Buffer = Buffer.alloc(0)
  const onData = (chunk: Buffer): void => {
    all = Buffer.concat([all, chunk])
    const end = all.indexOf('\r\n\r\n')
    if (end >= 0) settle(() => resolve({ head: all.toString('latin1', 0, end), rest: all.subarray(end + 4) }))
    else if (all.length > maxHead || !'HTTP/1.'.startsWith(all.toString('latin1', 0, 7)))
      settle(() => reject(new Error('did not answer as an HTTP proxy')))
  }
  const onEnd = (): void => settle(() => reject(new Error('closed the connection without an answer')))
  const onError = (error: Error): void => settle(() => reject(error))
  const onAbort = (): void => settle(() => reject(signal.reason))
  const settle = (how: () => void): void => {
    socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError)
    signal.removeEventListener('abort', onAbort)
    socket.pause()
    how()
  }
  socket.on('data', onData).once('end', onEnd).once('close', onEnd).once('error', onError)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return promise
}

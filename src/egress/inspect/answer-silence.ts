import type { ClientHttp2Session } from 'node:http2'
import { guarded } from './guarded.ts'

/**
 * Destroys a session whose host does not answer a PING (RFC 9113, section 6.7) while requests wait for it, so that later ones use another
 * connection. A host that is merely slow still answers PINGs.
 * @param waits returns true while requests are open.
 * @param silentMs interval between PINGs, and the time that one may stay unanswered. gRPC servers end connections that send PINGs more
 *   often than every five minutes.
 */
export function endWhenSilent(session: ClientHttp2Session, waits: () => boolean, silentMs: number): void {
  let unanswered = false
  const end = () => session.destroy()
  const look = guarded(() => {
    if (unanswered) return end()
    if (!waits()) return
    unanswered = true
    session.ping(() => {
      unanswered = false
    })
  }, end)
  const timer = setInterval(look, silentMs).unref()
  session.once('close', () => clearInterval(timer))
}

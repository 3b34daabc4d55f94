import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { MaskStream } from '../placeholder/masked.ts'
import { endToEnd, flat } from '../requests/fields.ts'
import type { CheckedClient } from './checked-client.ts'
import { type ExchangeContext, failed, judged } from './exchange.ts'
import { guarded } from './guarded.ts'
import { inboundH1 } from './inbound-h1.ts'

/**
 * Serves a websocket request. It is judged like any other. Once the host has switched, bytes pass unread both ways. Never rejects.
 */
export async function upgrade(
  request: IncomingMessage,
  response: ServerResponse,
  { checked, head, context }: { readonly checked: CheckedClient; readonly head: Buffer; readonly context: ExchangeContext },
): Promise<void> {
  // Node has detached the connection. An answer from here is the last one on it.
  response.assignSocket(checked as unknown as Socket)
  response.once('finish', () => checked.end())
  const inbound = inboundH1(request, response, false)
  const passed = await judged(inbound, context).catch(() => {
    inbound.abort()
    return null
  })
  if (passed === null) return
  try {
    const gone = new AbortController()
    const left = () => gone.abort()
    checked.once('close', left)
    const came = await context.upstream.upgrade({ ...passed.outbound, framing: { kind: 'none' }, signal: gone.signal })
    const { status, headers } = came.response
    if (came.kind === 'answered') {
      if (status === 401) passed.rejected()
      const read = passed.read(came.response)
      const out = inbound.respond(status, read.message, endToEnd(read.headers))
      read.body
        .on('error', () => inbound.abort())
        .once(
          'end',
          guarded(
            () => inbound.finish([]),
            () => inbound.abort(),
          ),
        )
        .pipe(out, { end: false })
      return passed.note({ status, address: context.upstream.address })
    }
    checked.off('close', left)
    response.detachSocket(checked as unknown as Socket)
    const { keeper, destination } = context
    const bound = keeper.binds(destination)
    const fields = [...flat(endToEnd(bound ? keeper.maskFields(headers) : headers)), 'Connection', 'Upgrade', 'Upgrade', 'websocket']
    const lines = fields.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${fields[at + 1]}\r\n`] : []))
    checked.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`, 'latin1')
    if (came.head.length > 0) came.stream.unshift(came.head)
    if (head.length > 0) came.stream.write(head)
    checked.settleUpgrade(true)
    passed.note({ status, address: context.upstream.address })
    // Masking does not change the length, so the frames around it stay valid.
    const mask = bound ? [new MaskStream(() => keeper.secrets())] : []
    const watch = keeper.watch(destination)
    if (watch !== null)
      checked.on(
        'data',
        guarded(watch, () => checked.destroy()),
      )
    // One pipeline for both directions. A second one would add listeners to both connections, and Node would report a leak.
    await pipeline([checked, came.stream, ...mask, checked]).catch(() => {})
    checked.destroy()
    came.stream.destroy()
  } catch (error) {
    if (!checked.destroyed && !response.headersSent) return failed(inbound, error, passed.note, context)
    passed.note({ decision: 'deny', reason: 'unreachable', status: 502 })
    checked.destroy()
  }
}

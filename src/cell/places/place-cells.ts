import type { ClientHttp2Session } from 'node:http2'
import type { EgressGateway } from '../../egress/cell-gateway.ts'
import type { StartCell } from '../cell.ts'
import { CarriedTrees } from './carried-trees.ts'
import type { Transport } from './eager-duplex.ts'
import { answerTo, KeptLink } from './kept-link.ts'
import { cutStream, request } from './place-link.ts'
import { connectionFields, fieldOf } from './place-wire.ts'
import { PlacedCell, type PlaceMeans } from './placed-cell.ts'

/** Streams that wait at the other side for connections of cells. */
const parkedStreams = 8

/** A place at the other end of a transport. */
export interface Place {
  readonly start: StartCell
  /** Returns the answer of the other side to a question about it. Rejects if the link is lost, or it has no answer. */
  ask(question: string): Promise<unknown>
  close(): void
}

/**
 * Returns the place that serves cells at the other end of a transport (`CellServer`). Credentials, keys, questions and the log stay here: the
 * other side hands over each connection of a cell, and this side's gateway judges it.
 * @param open opens a transport; again if the one before was lost and cells are to be kept.
 */
export function openPlace(open: () => Promise<Transport>, means: PlaceMeans): Place {
  const gateways = new Map<string, EgressGateway>()
  const link = new KeptLink(open, means.keepMs ?? 0, (session) => {
    for (let count = 0; count < parkedStreams; count++) park(session, gateways)
  })
  return {
    async start(spec, io, signal) {
      const { scratch } = means
      if (scratch === undefined) return new PlacedCell(link, gateways, means, spec, io, null).start(signal)
      signal?.throwIfAborted()
      const trees = await CarriedTrees.send(link, spec, scratch)
      try {
        return await new PlacedCell(link, gateways, means, spec, io, trees).start(signal)
      } catch (error) {
        await trees.forget()
        throw error
      }
    },
    ask: (question) => link.over((session) => answerTo(session, `/facts/${encodeURIComponent(question)}`)),
    close: () => link.close(),
  }
}

/** Opens a stream for the next connection of a cell. As soon as it is used, another takes its place. */
function park(session: ClientHttp2Session, gateways: ReadonlyMap<string, EgressGateway>): void {
  if (session.destroyed || session.closed) return
  const stream = request(session, '/egress')
  stream.once('response', (headers) => {
    park(session, gateways)
    const gateway = gateways.get(fieldOf(headers, connectionFields.token))
    const [host, port] = [fieldOf(headers, connectionFields.host), Number(fieldOf(headers, connectionFields.port))]
    // Also the way of a cell that was given up: its token is not known any more.
    if (gateway === undefined || !Number.isInteger(port)) cutStream(stream)
    else gateway.serveStream(stream, { host, port })
  })
}

import type { AuditSink } from '../audit/event.ts'
import type { EgressGateway } from './cell-gateway.ts'
import type { EgressSummary } from './egress-summary.ts'
import { EgressLedger } from './ledger.ts'

/** Returns the gateway of a cell without a network, or with that of the bare host. It never receives a connection. */
export function noGateway(cell: string, mode: EgressSummary['mode'], audit: AuditSink): EgressGateway {
  const ledger = new EgressLedger(cell, mode, audit)
  const serve = (): never => {
    throw new Error('this cell has no listeners')
  }
  return {
    wishes: () => [],
    serve,
    serveStream(stream, to) {
      ledger.denied({ connection: 0, ...to, reason: 'not-allowed', detail: 'the cell has no network of its own' })
      stream.destroy()
    },
    serveProxy: serve,
    checkNames: () => {},
    summary: () => ledger.summary(),
    close: async () => ledger.close(),
  }
}

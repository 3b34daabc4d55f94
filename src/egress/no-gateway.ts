import type { AuditSink } from '../audit/event.ts'
import type { EgressGateway } from './cell-gateway.ts'
import { EgressLedger } from './ledger.ts'

/** Returns the gateway of a cell without a network, which never receives a connection. */
export function noGateway(cell: string, audit: AuditSink): EgressGateway {
  const ledger = new EgressLedger(cell, 'off', audit)
  const serve = (): never => {
    throw new Error('a cell without a network has no listeners')
  }
  return {
    wishes: () => [],
    serve,
    serveProxy: serve,
    checkNames: () => {},
    summary: () => ledger.summary(),
    close: async () => ledger.close(),
  }
}

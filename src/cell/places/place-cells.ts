import { randomBytes } from 'node:crypto'
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { PassThrough, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type ErrorCode, errorExitCodes, PaddockError } from '../../base/errors.ts'
import type { EgressGateway } from '../../egress/cell-gateway.ts'
import type { EgressSummary } from '../../egress/egress-summary.ts'
import { authorityOf } from '../../egress/inspect/tls/authority-of.ts'
import { noGateway } from '../../egress/no-gateway.ts'
import { withCredentials } from '../../egress/placeholder/with-credentials.ts'
import { Lines } from '../../files/lines.ts'
import type { Cell, CellIo, StartCell } from '../cell.ts'
import type { CellPlan } from '../plan/plan.ts'
import type { CellSpec } from '../plan/spec.ts'
import type { CellReport } from '../report.ts'
import type { GatewayMeans } from '../run/gateway-for.ts'
import { inputDescriptorOf, pumpInput } from '../streams/pump-input.ts'
import { CarriedTrees } from './carried-trees.ts'
import type { Transport } from './eager-duplex.ts'
import { bodyOf, cutStream, openLink, responseOf } from './place-link.ts'
import {
  agreed,
  type CellEvent,
  cellEventSchema,
  connectionFields,
  fieldOf,
  longestLine,
  type StartRequest,
  travellingPolicy,
} from './place-wire.ts'
import type { SentTree } from './sent-trees.ts'

/** Streams that wait at the other side for connections of cells. */
const parkedStreams = 8

export interface PlaceMeans extends GatewayMeans {
  /** Judges the plan that the other side made for a spec, before its cell starts. Rejects if the user does not want it (`refuseTrifecta`). */
  readonly judge: (plan: CellPlan, spec: CellSpec) => Promise<void>
  /** Absolute path of a directory for contents on their way back. Absent: the other side has the files of this machine. */
  readonly scratch?: string
}

/** A place at the other end of a transport. */
export interface Place {
  readonly start: StartCell
  close(): void
}

/**
 * Returns the place that serves cells at the other end of a transport (`serveCells`). Credentials, keys, questions and the log stay here: the
 * other side hands over each connection of a cell, and this side's gateway judges it.
 */
export function openPlace(transport: Transport, deps: PlaceMeans): Place {
  const session = openLink(transport)
  const gateways = new Map<string, EgressGateway>()
  const park = (): void => {
    if (session.destroyed || session.closed) return
    const stream = session.request({ ':method': 'POST', ':path': '/egress' }, { endStream: false })
    stream.on('error', () => {})
    stream.once('response', (headers) => {
      park()
      const gateway = gateways.get(fieldOf(headers, connectionFields.token))
      const [host, port] = [fieldOf(headers, connectionFields.host), Number(fieldOf(headers, connectionFields.port))]
      // Also the way of a cell that was given up: its token is not known any more.
      if (gateway === undefined || !Number.isInteger(port)) cutStream(stream)
      else gateway.serveStream(stream, { host, port })
    })
  }
  for (let count = 0; count < parkedStreams; count++) park()
  return {
    async start(spec, io, signal) {
      const { scratch } = deps
      if (scratch === undefined) return new PlacedCell(session, gateways, deps, spec, io, []).start(signal)
      signal?.throwIfAborted()
      const trees = await CarriedTrees.send(session, spec, scratch)
      try {
        const cell = await new PlacedCell(session, gateways, deps, spec, io, trees.sent).start(signal)
        return { ...cell, done: trees.broughtBack(cell.done) }
      } catch (error) {
        await trees.forget()
        throw error
      }
    },
    close: () => session.destroy(),
  }
}

class PlacedCell {
  readonly #session: ClientHttp2Session
  readonly #gateways: Map<string, EgressGateway>
  readonly #deps: PlaceMeans
  readonly #spec: CellSpec
  readonly #io: CellIo
  readonly #trees: readonly SentTree[]
  readonly #token = randomBytes(32).toString('hex')
  readonly #started = Promise.withResolvers<Extract<CellEvent, { event: 'started' }>>()
  readonly #ended = Promise.withResolvers<CellReport>()
  #id = ''
  #gateway: EgressGateway | null = null

  constructor(
    session: ClientHttp2Session,
    gateways: Map<string, EgressGateway>,
    deps: PlaceMeans,
    spec: CellSpec,
    io: CellIo,
    trees: readonly SentTree[],
  ) {
    this.#trees = trees
    this.#session = session
    this.#gateways = gateways
    this.#deps = deps
    this.#spec = spec
    this.#io = io
  }

  async start(signal: AbortSignal | undefined): Promise<Cell> {
    const { credentials = [], ...spec } = this.#spec
    if (spec.egress.mode === 'public' || spec.egress.mode === 'open')
      throw new PaddockError('UNENFORCEABLE', `Egress ${spec.egress.mode} cannot be carried home from another machine.`, {
        hint: 'Use --egress allowlist with --allow HOST',
      })
    signal?.throwIfAborted()
    const authority = authorityOf(spec.egress, credentials)
    const policy = withCredentials(spec.egress, credentials)
    const { stdin, size } = this.#io
    const request: StartRequest = {
      spec: { ...spec, egress: travellingPolicy(policy) },
      certificate: authority?.certificate ?? null,
      token: this.#token,
      trees: this.#trees.map(({ root, id }) => ({ root, tree: id })),
      hasInput: stdin !== 'none',
      size,
    }
    const control = this.#request('/cells')
    const onAbort = (): void => cutStream(control)
    signal?.addEventListener('abort', onAbort, { once: true })
    control.write(`${JSON.stringify(request)}\n`)
    void this.#listen(control, async (id, plan) => {
      this.#id = id
      await this.#deps.judge(plan, this.#spec)
      if (policy.mode === 'off') this.#gateway = noGateway(id, 'off', this.#deps.audit)
      else {
        const { gatewayFor } = await import('../run/gateway-for.ts')
        const how = { onDenied: () => undefined, onModelCall: this.#io.onModelCall }
        this.#gateway = gatewayFor(this.#deps, id, { name: spec.name, egress: policy }, credentials, authority, how)
        this.#gateways.set(this.#token, this.#gateway)
      }
      control.end(`${agreed}\n`)
    })
    try {
      const { hasInput, notes } = await this.#started.promise
      return this.#cell(hasInput, notes)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw error
    } finally {
      signal?.removeEventListener('abort', onAbort)
      signal?.addEventListener('abort', () => this.#tell('stop?reason=cancelled'), { once: true })
    }
  }

  #request(path: string): ClientHttp2Stream {
    const stream = this.#session.request({ ':method': 'POST', ':path': path }, { endStream: false })
    return stream.on('error', () => {})
  }

  /** Follows what the other side says about the cell. */
  async #listen(control: ClientHttp2Stream, planned: (id: string, plan: CellPlan) => Promise<void>): Promise<void> {
    const lines = new Lines(longestLine)
    try {
      for await (const chunk of control)
        for (const line of lines.take(chunk as Buffer)) {
          const said = cellEventSchema.parse(JSON.parse(line))
          if (said.event === 'planned' && this.#id === '') await planned(said.id, said.plan)
          else await this.#hear(said)
        }
      throw lost()
    } catch (error) {
      // Both settle only once.
      this.#started.reject(error instanceof PaddockError ? error : lost(error))
      if (this.#id !== '') this.#ended.resolve(await this.#reportOfLost())
    } finally {
      cutStream(control)
      await this.#closeGateway()
    }
  }

  async #hear(said: CellEvent): Promise<void> {
    if (said.event === 'started') this.#started.resolve(said)
    else if (said.event === 'waits') this.#io.onWait?.(said.isWaiting, said.why)
    else if (said.event === 'denied') this.#deps.audit({ kind: 'egress.deny', cell: this.#id, data: { ...said, event: undefined } })
    else if (said.event === 'refused') {
      const code = Object.hasOwn(errorExitCodes, said.code) ? (said.code as ErrorCode) : 'CELL_FAILED'
      throw new PaddockError(code, said.message, said.hint === null ? {} : { hint: said.hint })
    } else if (said.event === 'ended') {
      const summary = await this.#closeGateway()
      this.#ended.resolve({ ...(said.report as CellReport), egress: joined(summary, said.report.egress) })
    }
  }

  /** Closes the gateway, so that the token of the cell is dead. Returns what it served. */
  async #closeGateway(): Promise<EgressSummary | null> {
    this.#gateways.delete(this.#token)
    await this.#gateway?.close()
    return this.#gateway?.summary() ?? null
  }

  #cell(hasInput: boolean, notes: readonly string[]): Cell {
    const of = (part: string): string => `/cells/${this.#id}/${part}`
    const output = (part: 'stdout' | 'stderr'): Readable => {
      const read = new PassThrough()
      // It also ends when the link is lost, like the output of a cell that is killed.
      const stream = this.#request(of(part))
        .end()
        .once('close', () => read.end())
      return stream.pipe(read)
    }
    const input = hasInput ? this.#request(of('stdin')) : null
    const { stdin } = this.#io
    const descriptor = inputDescriptorOf(this.#io)
    if (input !== null && stdin instanceof Uint8Array) input.end(stdin)
    if (input !== null && descriptor !== null) pumpInput(descriptor, input, this.#ended.promise)
    return {
      id: this.#id,
      notes,
      stdin: stdin === 'pipe' || this.#spec.terminal ? input : null,
      stdout: output('stdout'),
      stderr: output('stderr'),
      done: this.#ended.promise,
      stop: (reason) => this.#tell(`stop?reason=${reason}`),
      kill: () => this.#tell('kill'),
      interrupt: () => this.#tell('interrupt'),
      isStopped: async () => (await this.#ask('is-stopped')) === true,
      freeze: async () => (await this.#ask('freeze')) === true,
      goOn: async () => void (await this.#ask('go-on')),
      resize: (columns, rows) => this.#tell(`resize?columns=${columns}&rows=${rows}`),
      connectInside: async (port) => {
        const stream = this.#request(of(`port/${port}`))
        const headers = await responseOf(stream)
        if (headers[':status'] !== 200) throw new Error(await text(stream))
        return stream
      },
    }
  }

  /** Asks the other side for something that has no answer. If it is gone, its cells are too. */
  #tell(operation: string): void {
    void this.#ask(operation).catch(() => undefined)
  }

  /** Asks the other side for something, and returns its answer. */
  async #ask(operation: string): Promise<unknown> {
    const stream = this.#request(`/cells/${this.#id}/${operation}`).end()
    const body = bodyOf(stream)
    const headers = await responseOf(stream)
    const answer = await text(body)
    if (headers[':status'] !== 200) throw new Error(answer)
    return (JSON.parse(answer) as { value: unknown }).value
  }

  async #reportOfLost(): Promise<CellReport> {
    const summary = await this.#closeGateway()
    const now = new Date().toISOString()
    return {
      schemaVersion: 1,
      cell: this.#id,
      name: this.#spec.name,
      posture: this.#spec.posture ?? 'L2',
      backend: this.#spec.backend ?? 'auto',
      planHash: '',
      startedAt: now,
      endedAt: now,
      durationMs: 0,
      ending: { kind: 'start-failed', message: lost().message },
      killLadder: [],
      resources: { cpuMs: null, peakMemoryBytes: null },
      limits: [],
      egress: summary ?? noGateway(this.#id, this.#spec.egress.mode, () => undefined).summary(),
      changes: null,
      degraded: [...this.#spec.degraded],
    }
  }
}

function lost(cause?: unknown): PaddockError {
  return new PaddockError('CELL_FAILED', 'The connection to the other machine was lost, so its cell was ended.', { cause })
}

/** Returns what both sides know about the network use of a cell: this one what it served, the other what it denied itself. */
function joined(here: EgressSummary | null, there: EgressSummary): EgressSummary {
  if (here === null) return there
  const known = new Set(here.denied.map(({ host, port, reason }) => `${host} ${port} ${reason}`))
  return { ...here, denied: [...here.denied, ...there.denied.filter(({ host, port, reason }) => !known.has(`${host} ${port} ${reason}`))] }
}

import { hash, randomBytes } from 'node:crypto'
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { PassThrough, type Writable } from 'node:stream'
import { type ErrorCode, errorExitCodes, PaddockError } from '../../base/errors.ts'
import type { EgressGateway } from '../../egress/cell-gateway.ts'
import type { EgressSummary } from '../../egress/egress-summary.ts'
import { authorityOf } from '../../egress/inspect/tls/authority-of.ts'
import { noGateway } from '../../egress/no-gateway.ts'
import { withCredentials } from '../../egress/placeholder/with-credentials.ts'
import { Lines } from '../../files/lines.ts'
import type { Cell, CellIo } from '../cell.ts'
import type { CellPlan } from '../plan/plan.ts'
import type { CellSpec } from '../plan/spec.ts'
import type { CellReport } from '../report.ts'
import type { GatewayMeans } from '../run/gateway-for.ts'
import { inputDescriptorOf, pumpInput } from '../streams/pump-input.ts'
import type { CarriedTrees } from './carried-trees.ts'
import { answerTo, followed, type KeptLink, lostLink, sendSpool } from './kept-link.ts'
import { cutStream, request, responseOf, textOf } from './place-link.ts'
import { agreed, type CellEvent, cellEventSchema, longestAnswer, longestLine, type StartRequest, travellingPolicy } from './place-wire.ts'
import { drained, Spool } from './spool.ts'

/** Bytes of standard input that wait for the other side. */
const mostInput = 256 * 1024

export interface PlaceMeans extends GatewayMeans {
  /** Judges the plan that the other side made, before its cell starts. Rejects if the user does not want it (`refuseTrifecta`). */
  readonly judge: (planned: PlannedThere, io: CellIo) => Promise<void>
  /** Absolute path of the user's home directory here. */
  readonly userHome: string
  /** Milliseconds for which cells go on without a connection, and this side tries to reach them. Absent: 0. */
  readonly keepMs?: number
  /** Absolute path of a directory for contents on their way back. Absent: the other side has the files of this machine. */
  readonly scratch?: string
}

/** A cell that the other side has planned. */
export interface PlannedThere {
  readonly id: string
  readonly spec: CellSpec
  readonly plan: CellPlan
  /** The SHA-256 of the plan's JSON, as both sides' logs have it. */
  readonly planHash: string
}

/** A cell at the other side of a link. */
export class PlacedCell {
  readonly #link: KeptLink
  readonly #gateways: Map<string, EgressGateway>
  readonly #deps: PlaceMeans
  readonly #spec: CellSpec
  readonly #io: CellIo
  readonly #trees: CarriedTrees | null
  readonly #token = randomBytes(32).toString('hex')
  readonly #started = Promise.withResolvers<Extract<CellEvent, { event: 'started' }>>()
  readonly #ended = Promise.withResolvers<CellReport>()
  #id = ''
  #gateway: EgressGateway | null = null
  #hasStarted = false
  #isLost = false
  #hasEnded = false
  /** How many more denials of the other side are written to the log, because it may send any number. */
  #deniedLeft = 10_000

  constructor(
    link: KeptLink,
    gateways: Map<string, EgressGateway>,
    deps: PlaceMeans,
    spec: CellSpec,
    io: CellIo,
    trees: CarriedTrees | null,
  ) {
    this.#trees = trees
    this.#link = link
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
    const wanted: StartRequest = {
      spec: { ...spec, egress: travellingPolicy(policy) },
      userHome: this.#deps.userHome,
      certificate: authority?.certificate ?? null,
      token: this.#token,
      trees: (this.#trees?.sent ?? []).map(({ root, id, file }) => ({ root, tree: id, file })),
      hasInput: stdin !== 'none',
      keepMs: this.#deps.keepMs ?? 0,
      size,
    }
    const control = request(await this.#link.session(), '/cells')
    const onAbort = (): void => cutStream(control)
    signal?.addEventListener('abort', onAbort, { once: true })
    control.write(`${JSON.stringify(wanted)}\n`)
    void this.#listen(control, async (id, plan, planHash) => {
      this.#id = id
      await this.#deps.judge({ id, spec: this.#spec, plan, planHash }, this.#io)
      if (policy.mode === 'off') this.#gateway = noGateway(id, 'off', this.#deps.audit)
      else {
        const { gatewayFor } = await import('../run/gateway-for.ts')
        const how = { onDenied: () => undefined, onModelCall: this.#io.onModelCall }
        this.#gateway = gatewayFor(this.#deps, id, { name: spec.name, egress: policy }, credentials, authority, how)
        this.#gateways.set(this.#token, this.#gateway)
      }
      control.write(`${agreed}\n`)
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

  /** Follows what the other side says about the cell. */
  async #listen(control: ClientHttp2Stream, planned: (id: string, plan: CellPlan, hash: string) => Promise<void>): Promise<void> {
    const lines = new Lines(longestLine)
    const path = (): string => {
      // A cell that has not started ends with its connection.
      if (!this.#hasStarted) throw lostLink()
      return `/cells/${this.#id}/events`
    }
    try {
      for await (const chunk of followed(this.#link, path, control))
        for (const line of lines.take(chunk)) {
          const read = JSON.parse(line) as { readonly plan?: unknown }
          const said = cellEventSchema.parse(read)
          // The schema may put its keys in another order.
          if (said.event === 'planned' && this.#id === '') await planned(said.id, said.plan, hash('sha256', JSON.stringify(read.plan)))
          else await this.#hear(said)
        }
      throw lostLink()
    } catch (error) {
      // Both settle only once.
      this.#started.reject(error instanceof PaddockError ? error : lostLink(error))
      if (this.#id !== '')
        this.#lose(await this.#reportOf({ kind: 'start-failed', message: (error instanceof PaddockError ? error : lostLink()).message }))
    } finally {
      cutStream(control)
      await this.#closeGateway()
    }
  }

  async #hear(said: CellEvent): Promise<void> {
    if (said.event === 'started') {
      this.#hasStarted = true
      this.#started.resolve(said)
    } else if (said.event === 'waits') this.#io.onWait?.(said.isWaiting, said.why)
    else if (said.event === 'denied') {
      if (this.#deniedLeft-- > 0) this.#deps.audit({ kind: 'egress.deny', cell: this.#id, data: { ...said, event: undefined } })
    } else if (said.event === 'refused') {
      const code = Object.hasOwn(errorExitCodes, said.code) ? (said.code as ErrorCode) : 'CELL_FAILED'
      throw new PaddockError(code, said.message, said.hint === null ? {} : { hint: said.hint })
    } else if (said.event === 'ended') {
      const summary = await this.#closeGateway()
      this.#hasEnded = true
      this.#ended.resolve({ ...(said.report as CellReport), egress: joined(summary, said.report.egress) })
    }
  }

  #lose(report: CellReport): void {
    this.#isLost ||= !this.#hasEnded
    this.#ended.resolve(report)
  }

  /** Closes the gateway, so that the token of the cell is dead. Returns what it served. */
  async #closeGateway(): Promise<EgressSummary | null> {
    this.#gateways.delete(this.#token)
    await this.#gateway?.close()
    return this.#gateway?.summary() ?? null
  }

  #cell(hasInput: boolean, notes: readonly string[]): Cell {
    const done = this.#trees?.broughtBack(this.#ended.promise, () => this.#isLost) ?? this.#ended.promise
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const outputs = [this.#fill(stdout, 'stdout'), this.#fill(stderr, 'stderr')]
    void Promise.all([done, ...outputs]).then(() => this.#tell('forget'))
    const input = hasInput ? this.#input() : null
    const { stdin } = this.#io
    const descriptor = inputDescriptorOf(this.#io)
    if (input !== null && stdin instanceof Uint8Array) input.end(stdin)
    if (input !== null && descriptor !== null) pumpInput(descriptor, input, this.#ended.promise)
    return {
      id: this.#id,
      notes,
      stdin: stdin === 'pipe' || this.#spec.terminal ? input : null,
      stdout,
      stderr,
      done,
      stop: (reason) => this.#tell(`stop?reason=${reason}`),
      kill: () => void this.#kill(),
      interrupt: () => this.#tell('interrupt'),
      isStopped: async () => (await this.#ask('is-stopped')) === true,
      freeze: async () => (await this.#ask('freeze')) === true,
      goOn: async () => void (await this.#ask('go-on')),
      resize: (columns, rows) => this.#tell(`resize?columns=${columns}&rows=${rows}`),
      connectInside: async (port) => {
        const stream = request(await this.#link.session(), `/cells/${this.#id}/port/${port}`)
        const headers = await responseOf(stream)
        if (headers[':status'] !== 200) throw new Error(await textOf(stream, longestAnswer))
        return stream
      },
    }
  }

  /** Fills a part of the output. It also ends when the link is lost, like that of a cell that is killed. */
  async #fill(read: PassThrough, part: 'stdout' | 'stderr'): Promise<void> {
    try {
      for await (const chunk of followed(this.#link, () => `/cells/${this.#id}/${part}`)) if (!read.write(chunk)) await drained(read)
    } catch {
      // The link is lost.
    }
    read.end()
  }

  #input(): Writable {
    const input = new PassThrough()
    const end = (): void => void input.destroy()
    void sendSpool(this.#link, `/cells/${this.#id}/stdin`, new Spool(input, mostInput)).then(end)
    void this.#ended.promise.then(end)
    return input
  }

  /** Ends the cell. If the link is lost, nobody waits for the other side, which gets the order as soon as it can be reached. */
  async #kill(): Promise<void> {
    if (this.#link.isOpen) {
      const isTold = await this.#askOver(await this.#link.session(), 'kill').then(
        () => true,
        () => false,
      )
      if (isTold) return
    }
    this.#tell('kill')
    this.#lose(await this.#reportOf({ kind: 'cancelled' }))
  }

  /** Asks the other side for something that has no answer. If it is gone, its cells are too. */
  #tell(operation: string): void {
    void this.#ask(operation).catch(() => undefined)
  }

  /** Asks the other side for something, and returns its answer. Asks again if the connection is lost meanwhile. */
  async #ask(operation: string): Promise<unknown> {
    return this.#link.over((session) => this.#askOver(session, operation))
  }

  #askOver(session: ClientHttp2Session, operation: string): Promise<unknown> {
    return answerTo(session, `/cells/${this.#id}/${operation}`)
  }

  async #reportOf(ending: CellReport['ending']): Promise<CellReport> {
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
      ending,
      killLadder: [],
      resources: { cpuMs: null, peakMemoryBytes: null },
      limits: [],
      egress: summary ?? noGateway(this.#id, this.#spec.egress.mode, () => undefined).summary(),
      changes: null,
      degraded: [...this.#spec.degraded],
    }
  }
}

/** Returns what both sides know about the network use of a cell: this one what it served, the other what it denied itself. */
function joined(here: EgressSummary | null, there: EgressSummary): EgressSummary {
  if (here === null) return there
  const known = new Set(here.denied.map(({ host, port, reason }) => `${host} ${port} ${reason}`))
  return { ...here, denied: [...here.denied, ...there.denied.filter(({ host, port, reason }) => !known.has(`${host} ${port} ${reason}`))] }
}

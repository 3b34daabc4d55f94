import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import { pipeline } from 'node:stream/promises'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { type ClientStream, clientStream } from '../../egress/connection/client-stream.ts'
import type { Cell, StartCell } from '../cell.ts'
import type { HomeSide } from '../run/home-side.ts'
import type { Transport } from './eager-duplex.ts'
import { type MovedTree, movedSpec } from './moved-spec.ts'
import { answer, refuse, send } from './place-answers.ts'
import { cutStream, serveLink } from './place-link.ts'
import { agreed, type CellEvent, connectionFields, linesOf, type StartRequest, startRequestSchema } from './place-wire.ts'
import type { ServedTrees } from './served-trees.ts'

/** Starts cells whose gateway and authority are at home. */
export type StartFor = (home: HomeSide) => StartCell

/**
 * Serves the cells of one home over a transport. Home opens every stream: it parks some at `/egress`, each of which carries one connection
 * of a cell. When the transport ends, the cells end.
 * @param trees the trees that home sends; absent: both sides have the same files.
 */
export function serveCells(transport: Transport, startFor: StartFor, trees?: ServedTrees): ServerHttp2Session {
  const served = new ServedCells(startFor, trees)
  return serveLink(
    transport,
    (stream, headers) => served.take(stream, headers),
    // Nobody is left to hear that something could not be removed.
    () => void served.close().catch(() => undefined),
  )
}

/** Milliseconds for which a connection of a cell waits for a stream to home. */
const parkedMs = 30_000

type Operation = (cell: Cell, argument: URLSearchParams) => Promise<unknown>

const operations: Readonly<Record<string, Operation>> = {
  stop: async (cell, given) => cell.stop(reasonOf(given.get('reason'))),
  kill: async (cell) => cell.kill(),
  interrupt: async (cell) => cell.interrupt(),
  'is-stopped': (cell) => cell.isStopped(),
  freeze: (cell) => cell.freeze(),
  'go-on': (cell) => cell.goOn(),
  resize: async (cell, given) => cell.resize(Number(given.get('columns')), Number(given.get('rows'))),
}

const reasons = ['cancelled', 'out-of-time', 'silent', 'out-of-disk', 'output-flood'] as const

function reasonOf(value: string | null): (typeof reasons)[number] {
  return reasons.find((each) => each === value) ?? 'cancelled'
}

class ServedCells {
  readonly #startFor: StartFor
  readonly #trees: ServedTrees | undefined
  readonly #cells = new Map<string, Cell>()
  readonly #parked = new Set<ServerHttp2Stream>()
  readonly #waiting = new Set<(stream: ServerHttp2Stream) => void>()

  constructor(startFor: StartFor, trees: ServedTrees | undefined) {
    this.#startFor = startFor
    this.#trees = trees
  }

  take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const url = new URL(headers[':path'] ?? '/', 'http://cells')
    const [first = '', id = '', part = '', argument = ''] = url.pathname.split('/').slice(1)
    if (first === 'egress') return this.#park(stream)
    if (first === 'trees' && this.#trees !== undefined) return this.#trees.take(stream, [id, part])
    if (first === 'cells' && id === '') return void this.#start(stream)
    const cell = first === 'cells' ? this.#cells.get(id) : undefined
    const operation = Object.hasOwn(operations, part) ? operations[part] : undefined
    if (cell === undefined) refuse(stream, 404)
    else if (part === 'stdout' || part === 'stderr') send(stream, cell[part])
    else if (part === 'stdin' && cell.stdin !== null) receive(stream, cell.stdin)
    else if (part === 'port') void connectTo(stream, cell, Number(argument))
    else if (operation !== undefined) void answer(stream, () => operation(cell, url.searchParams))
    else refuse(stream, 404)
  }

  /** Waits for the cells to end, and removes the trees of home. */
  async close(): Promise<void> {
    await Promise.all([...this.#cells.values()].map((each) => each.done))
    await this.#trees?.removeAll()
  }

  async #start(stream: ServerHttp2Stream): Promise<void> {
    const say = (event: CellEvent): void => {
      if (!stream.destroyed && !stream.writableEnded) stream.write(`${JSON.stringify(event)}\n`)
    }
    const left = new AbortController()
    stream.once('close', () => left.abort())
    try {
      const lines = linesOf(stream)
      const request = startRequestSchema.parse(JSON.parse((await lines.next()).value)) as unknown as StartRequest
      stream.respond({ ':status': 200 })
      const home: HomeSide = {
        certificate: request.certificate,
        async planned(id, plan) {
          say({ event: 'planned', id, plan })
          if ((await lines.next()).value !== agreed) throw new PaddockError('CANCELLED', 'Home does not want this cell.')
        },
        denied: (denied) => say({ event: 'denied', ...denied }),
        forward: (to, signal) => this.#streamHome(request.token, to, signal),
      }
      const io = {
        stdin: request.hasInput ? ('pipe' as const) : ('none' as const),
        onWait: (isWaiting: boolean, why: string) => say({ event: 'waits', isWaiting, why }),
        ...(request.size === undefined ? {} : { size: request.size }),
      }
      const spec = movedSpec(request.spec, this.#movedTrees(request))
      const cell = await this.#startFor(home)(spec, io, left.signal)
      this.#cells.set(cell.id, cell)
      say({ event: 'started', hasInput: cell.stdin !== null, notes: [...(cell.notes ?? [])] })
      const report = await cell.done
      say({ event: 'ended', report })
      stream.end()
      stream.once('close', () => this.#cells.delete(cell.id))
    } catch (error) {
      if (!stream.headersSent) stream.respond({ ':status': 200 })
      const { code, message, hint = null } = error instanceof PaddockError ? error : { code: 'CELL_FAILED', message: messageOf(error) }
      say({ event: 'refused', code, message, hint })
      stream.end()
    }
  }

  #movedTrees({ trees }: StartRequest): readonly MovedTree[] {
    return trees.map(({ root, tree }) => {
      const directory = this.#trees?.directoryOf(tree)
      if (directory === undefined) throw new PaddockError('BAD_INPUT', `The tree of ${root} is not on this machine.`)
      return { root, directory }
    })
  }

  #park(stream: ServerHttp2Stream): void {
    const [next] = this.#waiting
    if (next !== undefined) {
      this.#waiting.delete(next)
      return next(stream)
    }
    this.#parked.add(stream)
    stream.once('close', () => this.#parked.delete(stream))
  }

  /** Returns a stream to home that names the destination of a connection. Rejects if home has parked none in time. */
  async #streamHome(
    token: string,
    { host, port }: { readonly host: string; readonly port: number },
    signal: AbortSignal,
  ): Promise<ClientStream> {
    const [parked] = this.#parked
    const stream = parked ?? (await this.#nextParked(signal))
    this.#parked.delete(stream)
    stream.respond({ ':status': 200, [connectionFields.host]: host, [connectionFields.port]: port, [connectionFields.token]: token })
    return clientStream(stream)
  }

  #nextParked(signal: AbortSignal): Promise<ServerHttp2Stream> {
    const { promise, resolve, reject } = Promise.withResolvers<ServerHttp2Stream>()
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(parkedMs)])
    this.#waiting.add(resolve)
    timeout.addEventListener('abort', () => {
      this.#waiting.delete(resolve)
      reject(new Error('no stream to home is free'))
    })
    return promise
  }
}

function receive(stream: ServerHttp2Stream, input: NodeJS.WritableStream): void {
  stream.respond({ ':status': 200 }, { endStream: true })
  pipeline(stream, input).catch(() => cutStream(stream))
}

async function connectTo(stream: ServerHttp2Stream, cell: Cell, port: number): Promise<void> {
  try {
    const inside = await cell.connectInside(port)
    inside.on('error', () => cutStream(stream))
    stream.on('error', () => inside.destroy()).once('close', () => inside.destroy())
    stream.respond({ ':status': 200 })
    stream.pipe(inside)
    inside.pipe(stream)
  } catch (error) {
    if (stream.headersSent) return cutStream(stream)
    stream.respond({ ':status': 502 })
    stream.end(JSON.stringify({ message: messageOf(error) }))
  }
}

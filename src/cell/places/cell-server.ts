import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import path from 'node:path'
import { messageOf, PaddockError } from '../../base/errors.ts'
import type { Cell, StartCell } from '../cell.ts'
import type { HomeSide } from '../run/home-side.ts'
import { ServedCell } from './cell-over-link.ts'
import type { Transport } from './eager-duplex.ts'
import { HomeConnection } from './home-connection.ts'
import { type MovedTree, movedSpec } from './moved-spec.ts'
import { answer, refuse } from './place-answers.ts'
import { cutStream, serveLink } from './place-link.ts'
import { linesOf, type StartRequest, startRequestSchema } from './place-wire.ts'
import type { ServedTrees } from './served-trees.ts'

/** Starts cells whose gateway and authority are at home. */
export type StartFor = (home: HomeSide) => StartCell

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

/** Answers a question of home about this machine, as JSON. */
export type Facts = (question: string) => Promise<unknown>

/** Serves the cells of one home, whose connections may follow each other. */
export class CellServer {
  readonly #startFor: StartFor
  readonly #trees: ServedTrees | undefined
  readonly #facts: Facts | undefined
  readonly #cells = new Map<string, ServedCell>()
  readonly #homes = new Set<HomeConnection>()

  /** @param trees the trees that home sends; absent: both sides have the same files. */
  constructor(startFor: StartFor, trees?: ServedTrees, facts?: Facts) {
    this.#startFor = startFor
    this.#trees = trees
    this.#facts = facts
  }

  /** True if home has no connection, and has left nothing here. */
  get isIdle(): boolean {
    return this.#cells.size === 0 && this.#homes.size === 0
  }

  /**
   * Serves a connection of home, which opens every stream: it parks some at `/egress`, each of which carries one connection of a cell. When
   * the transport ends, the cells go on as long as they are to be kept.
   */
  connect(transport: Transport): ServerHttp2Session {
    const home = new HomeConnection()
    this.#homes.add(home)
    return serveLink(
      transport,
      (stream, headers) => void this.#take(stream, headers, home).catch(() => cutStream(stream)),
      () => this.#left(home),
    )
  }

  async #take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, home: HomeConnection): Promise<void> {
    const url = new URL(headers[':path'] ?? '/', 'http://cells')
    const [first = '', id = '', part = '', argument = ''] = url.pathname.split('/').slice(1)
    if (first === 'egress') return home.park(stream)
    if (first === 'trees' && this.#trees !== undefined) return this.#trees.take(stream, [id, part], (tree) => home.trees.add(tree))
    const facts = this.#facts
    if (first === 'facts' && facts !== undefined) return await answer(stream, () => facts(decodeURIComponent(id)))
    if (first === 'cells' && id === '') return await this.#start(stream, home)
    const served = first === 'cells' ? this.#cells.get(id) : undefined
    const spool = served?.spoolOf(part)
    const operation = Object.hasOwn(operations, part) ? operations[part] : undefined
    if (served === undefined) refuse(stream, 404)
    else if (part === 'forget') await answer(stream, () => this.#forget(id))
    else if (spool !== undefined) await served.send(stream, spool, Number(url.searchParams.get('from')), home)
    else if (part === 'stdin' && served.input !== null) await served.receive(stream, served.input, home)
    else if (served.cell === null) refuse(stream, 404)
    else if (part === 'port') await connectTo(stream, served.cell, Number(argument))
    else if (operation !== undefined) await answer(stream, async () => served.cell && operation(served.cell, url.searchParams))
    else refuse(stream, 404)
  }

  /** Ends all cells, and removes what they have left. */
  async close(): Promise<void> {
    for (const each of this.#cells.values()) each.cell?.kill()
    await Promise.all([...this.#cells.keys()].map((id) => this.#forget(id)))
    await this.#trees?.removeAll()
  }

  #left(home: HomeConnection): void {
    this.#homes.delete(home)
    for (const each of this.#cells.values()) each.left(home)
    for (const tree of home.trees) void this.#trees?.remove(tree).catch(() => undefined)
  }

  /** Removes a cell after its end, with everything that it has left. */
  async #forget(id: string): Promise<void> {
    const served = this.#cells.get(id)
    await served?.cell?.done.catch(() => undefined)
    this.#cells.delete(id)
    served?.close()
    for (const each of served?.trees ?? []) await this.#trees?.remove(each)
  }

  async #start(stream: ServerHttp2Stream, home: HomeConnection): Promise<void> {
    const lines = linesOf(stream)
    const request = startRequestSchema.parse(JSON.parse((await lines.next()).value)) as unknown as StartRequest
    const trees = request.trees.map(({ tree }) => tree)
    let id = ''
    const served = new ServedCell(home, trees, request.keepMs, () => void this.#forget(id).catch(() => undefined))
    void served.sayTo(stream, lines)
    const left = new AbortController()
    stream.once('close', () => served.cell === null && left.abort())
    try {
      const spec = movedSpec(request.spec, this.#movedTrees(request))
      const side: HomeSide = {
        userHome: request.userHome,
        certificate: request.certificate,
        planned: async (name, plan) => {
          id = name
          this.#cells.set(id, served)
          served.say({ event: 'planned', id, plan })
          await served.agreement
        },
        denied: (denied) => served.say({ event: 'denied', ...denied }),
        forward: async (to, signal) => {
          const limit = AbortSignal.any([signal, AbortSignal.timeout(parkedMs)])
          return (await served.home(limit)).streamFor(request.token, to, limit)
        },
      }
      const io = {
        stdin: request.hasInput ? ('pipe' as const) : ('none' as const),
        onWait: (isWaiting: boolean, why: string) => served.say({ event: 'waits', isWaiting, why }),
        ...(request.size === undefined ? {} : { size: request.size }),
      }
      served.started(await this.#startFor(side)(spec, io, left.signal))
      for (const each of trees) home.trees.delete(each)
    } catch (error) {
      this.#cells.delete(id)
      served.refuse(error)
      served.close()
    }
  }

  #movedTrees({ trees }: StartRequest): readonly MovedTree[] {
    return trees.map(({ root, tree, file }) => {
      const directory = this.#trees?.directoryOf(tree)
      if (directory === undefined) throw new PaddockError('BAD_INPUT', `The tree of ${root} is not on this machine.`)
      return { root, place: path.join(directory, file) }
    })
  }
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

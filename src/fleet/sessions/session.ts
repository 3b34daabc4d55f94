import type { Cell } from '../../cell/cell.ts'
import type { Screen, Size } from './screen.ts'
import { type FromViewer, partsOf, type ToViewer, type ViewerFrame } from './viewer-frames.ts'

/** Bytes that wait for a viewer before it is shown the screen anew instead of all that it missed. */
const mostWaiting = 1024 * 1024
/** Milliseconds in which such a viewer has to take what waits. */
export const patienceMs = 30_000
/** Viewers at once. */
export const mostViewers = 64

/** Who looks at a terminal. */
export interface ViewerFacts {
  /** For the others: the name of its credential. */
  readonly name: string
  /** False: it only looks. */
  readonly mayType: boolean
  /** True: it types as soon as it is there, also if somebody else does. */
  readonly takes: boolean
  /** True if the terminal that shows the session answers questions of programs (device status, cursor position). */
  readonly answers: boolean
  /** It learns nothing about the machine. */
  readonly isBorrower: boolean
  readonly size: Size
}

/** The way to one viewer. After its end it does nothing. */
export interface ViewerEnd {
  send(frame: ViewerFrame): void
  /** Bytes that were sent and are not taken. */
  readonly waiting: number
  /** Calls back once when all was taken, or the way has ended. */
  onTaken(listener: () => void): void
  /** Ends it when all was taken. */
  end(): void
}

/** What a session gets from a viewer. */
export interface Attached {
  typed(bytes: Buffer): void
  said(frame: FromViewer): void
  left(): void
}

interface Viewer {
  readonly facts: ViewerFacts
  readonly end: ViewerEnd
  size: Size
  /** It is too far behind: it gets nothing until it is shown the screen anew. */
  behind: NodeJS.Timeout | null
}

/**
 * A terminal of a cell and who looks at it. One viewer types, and the size is its own; the others see both. Nobody has to look: what the program
 * shows is read all the same. A viewer that does not take what it is sent stalls nobody.
 */
export class Session {
  readonly #cell: Cell
  readonly #screen: Screen
  readonly #onChange: () => void
  readonly #viewers = new Set<Viewer>()
  #typist: Viewer | null = null
  #ended: string | null = null
  /** Resolves when all that the program has shown was passed on. */
  readonly read: Promise<void>

  /** `open` makes the screen; it gets what answers questions of programs where no viewer does. `onChange`: its company or size is another. */
  constructor(cell: Cell, open: (onReply: (answer: string) => void) => Screen, onChange: () => void) {
    this.#cell = cell
    this.#onChange = onChange
    this.#screen = open((answer) => {
      if (this.#typist?.facts.answers !== true) this.#type(Buffer.from(answer))
    })
    cell.stdin?.on('error', () => undefined)
    cell.stderr.resume()
    this.read = this.#readAll()
  }

  get size(): Size {
    return this.#screen.size
  }

  get viewers(): number {
    return this.#viewers.size
  }

  get typist(): string | null {
    return this.#typist?.facts.name ?? null
  }

  /** Shows the terminal to a viewer from here on. False: it has ended, or too many look. */
  attach(end: ViewerEnd, facts: ViewerFacts): Attached | null {
    if (this.#ended !== null || this.#viewers.size >= mostViewers) return null
    const viewer: Viewer = { facts, end, size: facts.size, behind: null }
    if (facts.mayType && (facts.takes || this.#typist === null)) this.#take(viewer)
    this.#viewers.add(viewer)
    this.#show(viewer)
    this.#tellCompany(viewer)
    return {
      typed: (bytes) => {
        if (this.#typist === viewer) this.#type(bytes)
      },
      said: (frame) => {
        if (frame.type === 'size') {
          viewer.size = { columns: frame.columns, rows: frame.rows }
          if (this.#typist === viewer) this.#resize(viewer.size)
        } else if (frame.type === 'release') {
          if (this.#typist !== viewer) return
          this.#typist = null
          this.#tellCompany(null)
        } else if (facts.mayType && this.#typist !== viewer) {
          this.#take(viewer)
          this.#tellCompany(null)
        }
      },
      left: () => this.#remove(viewer),
    }
  }

  /** The program has ended: every viewer gets a message, and its connection ends. `notes`: what the owner should know. */
  end(why: string, notes: readonly string[]): void {
    this.#ended = why
    for (const each of [...this.#viewers]) {
      this.#tell(each, { type: 'ended', why: each.facts.isBorrower ? why : [why, ...notes].join('\n') })
      this.#remove(each)
      each.end.end()
    }
    this.#screen[Symbol.dispose]()
  }

  async #readAll(): Promise<void> {
    try {
      for await (const chunk of this.#cell.stdout as AsyncIterable<Buffer>) {
        await this.#screen.write(chunk)
        for (const each of this.#viewers) this.#pass(each, chunk)
      }
    } catch {
      // The terminal is gone with its cell.
    }
  }

  #pass(viewer: Viewer, chunk: Buffer): void {
    if (viewer.behind !== null) return
    if (viewer.end.waiting < mostWaiting) {
      for (const part of partsOf(chunk)) viewer.end.send(part)
      return
    }
    viewer.behind = setTimeout(() => {
      this.#tell(viewer, { type: 'slow' })
      this.#remove(viewer)
      viewer.end.end()
    }, patienceMs)
    viewer.end.onTaken(() => {
      if (!this.#viewers.has(viewer)) return
      clearTimeout(viewer.behind ?? undefined)
      viewer.behind = null
      this.#show(viewer)
    })
  }

  #show(viewer: Viewer): void {
    this.#tell(viewer, { type: 'screen', ...this.#screen.size, ...this.#company(viewer) })
    for (const part of partsOf(this.#screen.snapshot())) viewer.end.send(part)
    this.#tell(viewer, { type: 'live' })
  }

  #company(viewer: Viewer) {
    return { typist: this.typist, isYou: this.#typist === viewer, mayType: viewer.facts.mayType, viewers: this.#viewers.size }
  }

  /** Tells everybody who is there, but one who knows. */
  #tellCompany(but: Viewer | null): void {
    for (const each of this.#viewers) if (each !== but) this.#tell(each, { type: 'company', ...this.#company(each) })
    if (this.#ended === null) this.#onChange()
  }

  #tell(viewer: Viewer, frame: ToViewer): void {
    if (viewer.behind === null || frame.type === 'slow' || frame.type === 'ended') viewer.end.send(JSON.stringify(frame))
  }

  #take(viewer: Viewer): void {
    this.#typist = viewer
    this.#resize(viewer.size)
  }

  #resize(size: Size): void {
    const { columns, rows } = this.#screen.size
    if (columns === size.columns && rows === size.rows) return
    this.#screen.resize(size)
    this.#cell.resize(size.columns, size.rows)
    for (const each of this.#viewers) this.#tell(each, { type: 'size', ...size })
    this.#onChange()
  }

  /** A program that does not read gets no more than it could take. */
  #type(bytes: Buffer): void {
    const { stdin } = this.#cell
    if (this.#ended === null && stdin !== null && stdin.writableLength < mostWaiting) stdin.write(bytes)
  }

  #remove(viewer: Viewer): void {
    if (!this.#viewers.delete(viewer)) return
    clearTimeout(viewer.behind ?? undefined)
    if (this.#typist === viewer) this.#typist = null
    this.#tellCompany(null)
  }
}

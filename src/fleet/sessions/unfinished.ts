/** The kind of sequence whose end a terminal still waits for after the bytes so far. */
type State = 'ground' | 'escape' | 'csi' | 'osc' | 'string' | number

/** The most bytes kept of an unfinished sequence. Its start determines its kind. */
const most = 4_096
const [esc, bel, can, sub] = [0x1b, 0x07, 0x18, 0x1a]
/** One-character controls (ECMA-48 §5.3, as UTF-8), by their second byte: they start a new sequence wherever they occur. */
const c1: ReadonlyMap<number, State> = new Map<number, State>([
  [0x90, 'string'],
  [0x98, 'string'],
  [0x9b, 'csi'],
  [0x9d, 'osc'],
  [0x9e, 'string'],
  [0x9f, 'string'],
])
const escapes: ReadonlyMap<number, State> = new Map<number, State>([
  [0x5b, 'csi'],
  [0x5d, 'osc'],
  [0x50, 'string'],
  [0x58, 'string'],
  [0x5e, 'string'],
  [0x5f, 'string'],
])

/**
 * Tracks which bytes at the end of a terminal's output start a control sequence (ECMA-48, xterm's OSC) or a character (UTF-8) that is not
 * complete: a new terminal that shows the present screen needs them before the bytes that follow.
 */
export class Unfinished {
  #state: State = 'ground'
  #kept: number[] = []
  /** True after a byte that may be the first of a C1 control. */
  #isC1 = false

  /** The unfinished bytes, at most 4 KiB. The rest of a longer sequence would change only its content. */
  get bytes(): Buffer {
    return Buffer.from(this.#kept)
  }

  add(chunk: Uint8Array): void {
    for (const byte of chunk) {
      // Controls within a sequence take effect immediately; the sequence continues after them.
      const isDone = byte < 0x20 && byte !== esc && (this.#state === 'escape' || this.#state === 'csi')
      this.#state = this.#next(byte)
      if (this.#state === 'ground') this.#kept = []
      else if (!isDone && this.#kept.length < most) this.#kept.push(byte)
    }
  }

  #next(byte: number): State {
    const isC1 = this.#isC1 && byte >= 0x80 && byte <= 0x9f
    this.#isC1 = byte === 0xc2
    if (isC1) {
      this.#kept = [0xc2]
      return c1.get(byte) ?? 'ground'
    }
    if (byte === esc) return this.#begin('escape')
    if (byte === can || byte === sub) return 'ground'
    const state = this.#state
    if (typeof state === 'number') return byte >= 0x80 && byte <= 0xbf ? (state === 1 ? 'ground' : state - 1) : this.#begin(character(byte))
    switch (state) {
      case 'ground':
        return character(byte)
      case 'escape':
        return escapes.get(byte) ?? (byte >= 0x80 ? character(byte) : byte >= 0x30 && byte !== 0x7f ? 'ground' : state)
      case 'csi':
        return byte >= 0x40 && byte !== 0x7f && byte !== 0xc2 ? 'ground' : state
      case 'osc':
        return byte === bel ? 'ground' : state
      case 'string':
        return state
    }
  }

  #begin(state: State): State {
    this.#kept = []
    return state
  }
}

/** Returns the number of bytes that follow the first byte of a character (RFC 3629). */
function character(first: number): State {
  if (first < 0xc2 || first > 0xf4) return 'ground'
  return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3
}

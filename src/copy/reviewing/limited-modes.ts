import { type Entry, isLink } from '../manifest.ts'

/** The most files that a note names. */
const mostNamed = 10
const octal = (mode: number): string => mode.toString(8).padStart(4, '0')

/** Limits the modes of a copy's files to those that the user's umask permits, and remembers which were wider. */
export class LimitedModes {
  readonly #umask: number
  readonly #wider = new Map<string, string>()

  constructor(umask: number) {
    this.#umask = umask
  }

  /**
   * Returns the mode with which a file is applied: without setuid, setgid and sticky bits, and without the bits of the umask unless the
   * agent did not change the mode. `mode`: the mode in the copy (stat(2)). `base`: the entry that was copied.
   */
  of(path: string, mode: number, base: Entry | undefined): number {
    const known = base === undefined || isLink(base) ? null : base.mode
    const wanted = mode & 0o7777
    const limited = wanted === known ? wanted : wanted & 0o777 & ~this.#umask
    if (limited !== wanted) this.#wider.set(path, `${octal(wanted)} → ${octal(limited)}`)
    return limited
  }

  /** Yields one line about the files whose modes were wider, or nothing. `except`: files that are not applied. */
  *notes(except: ReadonlySet<string>): Generator<string> {
    const all = [...this.#wider].filter(([path]) => !except.has(path)).sort(([a], [b]) => (a < b ? -1 : 1))
    if (all.length === 0) return
    const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : ''
    const named = all.slice(0, mostNamed).map(([path, change]) => `${path} (${change})`)
    yield `your umask ${octal(this.#umask)} limits the modes of ${named.join(', ')}${more}`
  }
}

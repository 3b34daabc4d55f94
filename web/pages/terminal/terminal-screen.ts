import { SearchAddon } from '@xterm/addon-search'
import { Terminal } from '@xterm/xterm'
import { allowStyles } from './allowed-elements.ts'
import { coloursAt, resolved } from './colours.ts'
import type { Size } from './terminal-frames.ts'
import { openable, textLinks } from './terminal-links.ts'
import { type Blocked, silence } from './terminal-silence.ts'

/** The number of lines above the screen, the same as in the host process. */
const scrollback = 5_000
/** The width of xterm.js's scroll bar in CSS pixels, which covers part of the content. */
const scrollBar = 14
/** The CAN control, which ends an unfinished sequence (ECMA-48). */
const cancel = Uint8Array.of(0x18)
const esc = '\u001b'
/** Characters that are removed from pasted text: controls other than tabs and line ends. */
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
/** The longest paste, in characters. If a program does not read, the host process drops input above 1 MiB. */
const mostPasted = 256 * 1024
const focusReports: readonly string[] = [`${esc}[I`, `${esc}[O`]

allowStyles()

export interface ScreenEvents {
  /** Called when the user has typed, pasted or used the mouse in a program. */
  typed(bytes: Uint8Array<ArrayBuffer>): void
  /** Called when bytes were read. `isAll`: all bytes were read. */
  read(bytes: number, isAll: boolean): void
  blocked(blocked: Blocked): void
  link(url: URL): void
  /** Called when the user leaves the terminal by keyboard. */
  leave(): void
  copied(text: string): void
  /** Called when a pasted text is longer than a program may get at once. */
  tooLong(): void
  found(place: number, count: number): void
}

export type Direction = 'next' | 'previous' | 'incremental'

/** A terminal in an element. Bytes are processed in order, even if the size changes in between. */
export class Screen {
  readonly #terminal: Terminal
  readonly #search = new SearchAddon({ highlightLimit: 500 })
  readonly #parent: HTMLElement
  readonly #events: ScreenEvents
  readonly #queue: (Uint8Array | (() => void))[] = []
  /** True while an action waits for earlier output. */
  #isHeld = false
  #unread = 0
  readonly #over = new AbortController()

  constructor(parent: HTMLElement, fontSize: number, isForScreenReader: boolean, events: ScreenEvents) {
    this.#parent = parent
    this.#events = events
    const terminal = new Terminal({
      allowProposedApi: true,
      fontFamily: getComputedStyle(parent).getPropertyValue('--mono'),
      fontSize,
      screenReaderMode: isForScreenReader,
      theme: coloursAt(parent),
      minimumContrastRatio: 4.5,
      scrollback,
      disableStdin: true,
      cursorBlink: false,
      logLevel: 'off',
      linkHandler: { activate: (_event, text) => this.#open(text) },
    })
    this.#terminal = terminal
    silence(terminal, events.blocked)
    terminal.loadAddon(this.#search)
    this.#search.onDidChangeResults(({ resultIndex, resultCount }) => events.found(resultIndex + 1, resultCount))
    terminal.registerLinkProvider(textLinks(terminal, (text) => this.#open(text)))
    terminal.attachCustomKeyEventHandler((event) => this.#isForProgram(event))
    terminal.onData((text) => {
      // xterm.js also sends focus reports when a program turns them on, so this class sends all of them.
      if (!focusReports.includes(text)) events.typed(new TextEncoder().encode(text))
    })
    terminal.onBinary((text) => events.typed(Uint8Array.from(text, (each) => each.charCodeAt(0))))
    terminal.open(parent)
    terminal.textarea?.setAttribute('aria-label', 'Terminal. Press Control Shift Up to leave it.')
    const { signal } = this.#over
    const focus = (report: string) => (): void => {
      if (terminal.modes.sendFocusMode && !terminal.options.disableStdin) events.typed(new TextEncoder().encode(report))
    }
    parent.addEventListener(
      'paste',
      (event) => {
        event.preventDefault()
        event.stopPropagation()
        this.paste(event.clipboardData?.getData('text/plain') ?? '')
      },
      { signal, capture: true },
    )
    terminal.textarea?.addEventListener('focus', focus(`${esc}[I`), { signal })
    terminal.textarea?.addEventListener('blur', focus(`${esc}[O`), { signal })
    const recolour = (): void => {
      terminal.options.theme = coloursAt(parent)
    }
    for (const each of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'])
      matchMedia(each).addEventListener('change', recolour, { signal })
    const themes = new MutationObserver(recolour)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-terminal'] })
    signal.addEventListener('abort', () => themes.disconnect())
  }

  get modes() {
    return this.#terminal.modes
  }

  /** The largest size that fits into the element. */
  get fits(): Size {
    const { cols, rows, element } = this.#terminal
    const shown = element?.querySelector('.xterm-screen')?.getBoundingClientRect()
    const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(this.#parent)
    const width = this.#parent.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - scrollBar
    const height = this.#parent.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)
    if (shown === undefined || shown.width === 0 || shown.height === 0 || width <= 0 || height <= 0) return { columns: cols, rows }
    const most = (room: number, each: number, least: number): number => Math.max(least, Math.min(1_000, Math.floor(room / each)))
    return { columns: most(width, shown.width / cols, 2), rows: most(height, shown.height / rows, 1) }
  }

  write(bytes: Uint8Array): void {
    this.#unread += bytes.length
    this.#enqueue(bytes)
  }

  /** Clears the terminal, even within an unfinished sequence. */
  reset({ columns, rows }: Size): void {
    this.#enqueue(cancel)
    this.#enqueue(() => {
      this.#terminal.reset()
      this.#terminal.resize(columns, rows)
    })
  }

  resize({ columns, rows }: Size): void {
    this.#enqueue(() => this.#terminal.resize(columns, rows))
  }

  /** Calls the listener when all earlier output is on the screen. */
  after(listener: () => void): void {
    this.#enqueue(listener)
  }

  set isTypedIn(value: boolean) {
    this.#terminal.options.disableStdin = !value
  }

  set fontSize(value: number) {
    this.#terminal.options.fontSize = value
  }

  set isForScreenReader(value: boolean) {
    this.#terminal.options.screenReaderMode = value
  }

  focus(): void {
    this.#terminal.focus()
  }

  /** Types keys that a phone does not have. */
  press(keys: string): void {
    this.#terminal.input(keys, true)
  }

  /** Pastes a text without controls, which could end the paste brackets so that the rest would be typed. */
  paste(text: string): void {
    const clean = text.replace(controls, '')
    if (clean.length > mostPasted) this.#events.tooLong()
    else this.#terminal.paste(clean)
  }

  /** The selected text, or all text without a selection. */
  get text(): string {
    if (this.#terminal.hasSelection()) return this.#terminal.getSelection()
    const { active } = this.#terminal.buffer
    const lines: string[] = []
    for (let y = 0; y < active.length; y++) {
      const line = active.getLine(y)
      const isContinued = active.getLine(y + 1)?.isWrapped === true
      const text = line?.translateToString(!isContinued) ?? ''
      if (line?.isWrapped === true && lines.length > 0) lines.push(`${lines.pop()}${text}`)
      else lines.push(text)
    }
    return lines.join('\n').trimEnd()
  }

  search(text: string, direction: Direction): void {
    const colour = (token: string): string => resolved(this.#parent, token)
    const decorations = {
      matchBackground: colour('--term-match'),
      matchOverviewRuler: colour('--t-yellow'),
      activeMatchBackground: colour('--term-sel'),
      activeMatchBorder: colour('--t-yellow'),
      activeMatchColorOverviewRuler: colour('--t-yellow'),
    }
    if (direction === 'previous') this.#search.findPrevious(text, { decorations })
    else this.#search.findNext(text, { decorations, incremental: direction === 'incremental' })
  }

  endSearch(): void {
    this.#search.clearDecorations()
    this.#terminal.clearSelection()
  }

  [Symbol.dispose](): void {
    this.#over.abort()
    this.#terminal.dispose()
  }

  #open(text: string): void {
    const url = openable(text)
    if (url !== null) this.#events.link(url)
  }

  #isForProgram(event: KeyboardEvent): boolean {
    if (event.type !== 'keydown' || !event.ctrlKey || !event.shiftKey || event.altKey || event.metaKey) return true
    switch (event.code) {
      case 'ArrowUp':
        event.preventDefault()
        this.#events.leave()
        return false
      case 'KeyC':
        event.preventDefault()
        if (this.#terminal.hasSelection()) this.#events.copied(this.#terminal.getSelection())
        return false
      case 'KeyV':
        // The browser handles the paste.
        return false
      default:
        return true
    }
  }

  #enqueue(what: Uint8Array | (() => void)): void {
    this.#queue.push(what)
    this.#next()
  }

  #next(): void {
    while (!this.#isHeld) {
      const what = this.#queue.shift()
      if (what === undefined) return
      if (typeof what === 'function') {
        this.#isHeld = true
        this.#terminal.write('', () => {
          if (this.#over.signal.aborted) return
          what()
          this.#isHeld = false
          this.#next()
        })
      } else
        this.#terminal.write(what, () => {
          if (what === cancel || this.#over.signal.aborted) return
          this.#unread -= what.length
          this.#events.read(what.length, this.#unread === 0)
        })
    }
  }
}

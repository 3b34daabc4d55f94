import type { IDisposable, Terminal } from '@xterm/xterm'

/** A request of a program that was blocked. */
export interface Blocked {
  readonly kind: 'clipboard' | 'title' | 'notification'
  /** A sentence for the user. */
  readonly sentence: string
  /** The text that the program tried to set, or null. */
  readonly text: string | null
}

/** The most characters of a blocked text that are kept for display. */
const mostShown = 2_000

/** Sequences that a terminal answers (ECMA-48, ctlseqs): attributes, status, modes, version, parameters, window reports, keyboard flags. */
const questions = [
  ...[{ final: 'c' }, { prefix: '>', final: 'c' }, { prefix: '=', final: 'c' }],
  ...[{ final: 'n' }, { prefix: '?', final: 'n' }, { prefix: '>', final: 'n' }],
  ...[
    { intermediates: '$', final: 'p' },
    { prefix: '?', intermediates: '$', final: 'p' },
  ],
  ...[{ prefix: '>', final: 'q' }, { final: 'x' }, { final: 't' }, { prefix: '?', final: 'u' }, { prefix: '?', final: 'm' }],
  ...[
    { intermediates: '$', final: 'w' },
    { intermediates: '*', final: 'y' },
    { prefix: '?', final: 'S' },
  ],
]
/** Control strings that a terminal answers: DECRQSS, XTGETTCAP. */
const strings = [
  { intermediates: '$', final: 'q' },
  { intermediates: '+', final: 'q' },
]
/** OSC numbers that set or query colours, blocked because the text of a terminal must stay readable. */
const colours = [4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 104, 105, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119]
const titles = [0, 1, 2]
const notifications = [9, 99, 777]

/**
 * Prevents a terminal from answering programs, because the host process already does, and from acting on requests to a window or a desktop.
 * `onBlocked` gets requests that a user may want to know about.
 */
export function silence(terminal: Terminal, onBlocked: (blocked: Blocked) => void): IDisposable {
  const { parser } = terminal
  const done = (): boolean => true
  const tell = (kind: Blocked['kind'], sentence: string, text: string | null): boolean => {
    onBlocked({ kind, sentence, text: text?.slice(0, mostShown) ?? null })
    return true
  }
  const handlers = [
    ...questions.map((each) => parser.registerCsiHandler(each, done)),
    ...strings.map((each) => parser.registerDcsHandler(each, done)),
    ...colours.map((each) => parser.registerOscHandler(each, done)),
    ...titles.map((each) =>
      parser.registerOscHandler(each, (text) => tell('title', 'The program set a title. The page keeps its own.', text)),
    ),
    ...notifications.map((each) =>
      parser.registerOscHandler(each, (text) =>
        // Progress (9;4) is not a notification.
        text.startsWith('4;') ? true : tell('notification', 'The program tried to show a notification. It was not shown.', text),
      ),
    ),
    parser.registerOscHandler(52, (data) => {
      const text = data.slice(data.indexOf(';') + 1)
      if (text === '?') return tell('clipboard', 'The program tried to read your clipboard. It was not read.', null)
      const { length, start } = decoded(text)
      const characters = `${length} ${length === 1 ? 'character' : 'characters'}`
      return tell('clipboard', `The program tried to set your clipboard (${characters}). It was not set.`, start)
    }),
  ]
  return {
    dispose: () => {
      for (const each of handlers) each.dispose()
    },
  }
}

/** Returns the decoded text and its length in characters. */
function decoded(base64: string): { readonly length: number; readonly start: string } {
  try {
    const text = new TextDecoder().decode(Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)))
    return { length: [...text].length, start: text }
  } catch {
    return { length: base64.length, start: base64 }
  }
}

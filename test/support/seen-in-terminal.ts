/** The text that a person at a terminal can read, and whether the alternate screen is active. */
export interface Seen {
  readonly text: string
  readonly alternateScreen: boolean
}

/**
 * Returns what a terminal shows of this output. It interprets everything that hides text: strings (OSC, DCS, APC, PM, SOS) that only ST,
 * CAN or SUB end, colours, concealed text, line-drawing characters, VT52 mode and a printer that takes the output (ECMA-48; xterm's
 * control sequences).
 */
export function seenIn(output: string): Seen {
  const screen = { text: '', alternate: false, concealed: false, foreground: 'default', background: 'black', graphics: false }
  let [vt52, printing] = [false, false]
  for (let at = 0; at < output.length; at++) {
    const rest = output.slice(at)
    const string = /^\u001b[\]P_^X][\s\S]*?(?:\u001b\\|[\u0018\u001a])/.exec(rest)
    if (/^\u001b[\]P_^X]/.test(rest) && !vt52) {
      if (string === null) break
      at += string[0].length - 1
      continue
    }
    const csi = /^\u001b\[([0-?]*)[ -/]*([@-~])/.exec(rest)
    if (csi !== null && !vt52) {
      const [all, given = '', final] = csi
      at += all.length - 1
      if (final === 'm') colour(screen, given)
      if (final === 'p' && all.includes('!')) Object.assign(screen, plain)
      if (final === 'i') printing = given === '5' ? true : given === '4' ? false : printing
      if (given === '?2' && final === 'l') vt52 = true
      if (/^\?(1049|1047|47)$/.test(given)) screen.alternate = final === 'h'
      continue
    }
    if (rest.startsWith('\u001b')) {
      const [all = '', set] = /^\u001b(?:([ -/])?[0-~])?/.exec(rest) ?? []
      at += all.length - 1
      if (all === '\u001b<') vt52 = false
      if (set === '(') screen.graphics = all === '\u001b(0'
      continue
    }
    if (!printing) show(screen, output[at] ?? '')
  }
  return { text: screen.text, alternateScreen: screen.alternate }
}

const plain = { concealed: false, foreground: 'default', background: 'black', graphics: false }

function colour(screen: typeof plain, given: string): void {
  for (const each of given.split(';').map(Number)) {
    if (each === 0) Object.assign(screen, { concealed: false, foreground: 'default', background: 'black' })
    else if (each === 8) screen.concealed = true
    else if (each === 28) screen.concealed = false
    else if (each === 30) screen.foreground = 'black'
    else if (each > 30 && each < 40) screen.foreground = 'default'
    else if (each === 40) screen.background = 'black'
  }
}

function show(screen: typeof plain & { text: string }, character: string): void {
  if (character < ' ' && character !== '\n') return
  const hidden = screen.concealed || screen.foreground === screen.background
  screen.text += hidden ? ' ' : screen.graphics && /[_-~]/.test(character) ? '░' : character
}

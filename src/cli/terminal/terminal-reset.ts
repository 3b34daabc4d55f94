/**
 * How much of what a cell's output did to the terminal is undone, each with all before it:
 * - `text`: what hides or garbles text, for a line while the cell still draws its own screen.
 * - `modes`: modes of the screen, the keyboard and the mouse as well, and the palette. Nothing that was printed is cleared or left.
 * - `screen`: the alternate screen is left, too.
 */
export type ResetDepth = 'text' | 'modes' | 'screen'

/** An open string or sequence (CAN, ST), the mode of a VT52 (DECANM), a printer that takes the output (MC), synchronized output. */
const open = '\u0018\u001b\\\u001b<\u001b[4i\u001b[?4i\u001b[?2026l'
/** ISO 2022 in place of UTF-8, character sets, colours and concealed text. */
const garbled = '\u001b%G\u000f\u001b(B\u001b[0m'
const alternateScreen = '\u001b[?1049l\u001b[?1047l\u001b[?47l'
/** Reversed colours, reports of pasted text and of the mouse. */
const reports = '\u001b[?5l\u001b[?2004l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1004l'
/** Margins and origin (DECSTR, which ends automatic wrapping in some terminals), a changed palette and default colours, a hidden cursor. */
const margins = `\u001b[!p\u001b[?7h${['104', '110', '111', '112'].map((each) => `\u001b]${each}\u001b\\`).join('')}\u001b[?25h`

/** Returns what makes text readable in a terminal that a cell has written to (ECMA-48, xterm's control sequences, DEC STD 070). */
export function terminalReset(depth: ResetDepth): string {
  if (depth === 'text') return open + garbled
  return open + (depth === 'screen' ? alternateScreen : '') + reports + margins + garbled
}

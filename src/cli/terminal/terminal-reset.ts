/**
 * How many of the cell's changes to the terminal are undone. Each level includes the previous ones:
 * - `text`: settings that hide or garble text, for one line while the cell still draws its own screen.
 * - `modes`: also the modes of screen, keyboard and mouse, and the palette. Printed text is not cleared, and the alternate screen stays.
 * - `screen`: also the alternate screen.
 */
export type ResetDepth = 'text' | 'modes' | 'screen'

/** Ends an open string or sequence (CAN, ST), VT52 mode (DECANM), redirection to a printer (MC) and synchronized output. */
const open = '\u0018\u001b\\\u001b<\u001b[4i\u001b[?4i\u001b[?2026l'
/** Resets ISO 2022 to UTF-8, character sets, colours and concealed text. */
const garbled = '\u001b%G\u000f\u001b(B\u001b[0m'
const alternateScreen = '\u001b[?1049l\u001b[?1047l\u001b[?47l'
/** Resets reversed colours, and the reporting of pasted text and of the mouse. */
const reports = '\u001b[?5l\u001b[?2004l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1004l'
/** Resets margins and origin (DECSTR, which ends automatic wrapping in some terminals), palette, default colours and a hidden cursor. */
const margins = `\u001b[!p\u001b[?7h${['104', '110', '111', '112'].map((each) => `\u001b]${each}\u001b\\`).join('')}\u001b[?25h`

/** Returns a sequence that makes text readable in a terminal after a cell wrote to it (ECMA-48, xterm's control sequences, DEC STD 070). */
export function terminalReset(depth: ResetDepth): string {
  if (depth === 'text') return open + garbled
  return open + (depth === 'screen' ? alternateScreen : '') + reports + margins + garbled
}

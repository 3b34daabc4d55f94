/** A piece of a text: a command that can be pasted, or the text around it. */
export interface Piece {
  readonly text: string
  readonly isCommand: boolean
}

/** A command: text between backticks, after `Run: `, or from `paddock` at the start of a sentence or after a colon, up to other text. */
const command =
  /`([^`\n]+)`|(?:(?<=\brun: )|(?<=^|[:.!?)] )(?=paddock ))([^`\n]+?)(?=[.,;]?$|[,;.] | {2,}| (?:or|then|shows|prints|gives|lists|tries|deletes|removes) )/gim

/** Splits a hint or an error at its commands. */
export function commandsIn(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: whole, 1: quoted, 2: plain, index } of text.matchAll(command)) {
    if (index > end) pieces.push({ text: text.slice(end, index), isCommand: false })
    pieces.push({ text: quoted ?? plain ?? '', isCommand: true })
    end = index + whole.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isCommand: false })
  return pieces
}

import { printable, printableName } from '../../base/text.ts'

/** Returns untrusted text as one line of plain Markdown: it cannot create a link, an image, HTML or a table cell. */
export function cell(text: string): string {
  return escaped(printableName(oneLine(text)))
}

/** Returns text as a cell does, of any length. */
export function paragraph(text: string): string {
  return escaped(printable(oneLine(text)))
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function escaped(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|~&]/g, (each) => `\\${each}`)
    .replace(/\b(?:www\.|(?:https?|ftp):\/\/)/gi, (each) => `${each.slice(0, -1)}\u200b${each.slice(-1)}`)
}

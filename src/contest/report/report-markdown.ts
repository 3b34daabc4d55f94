import { printableName } from '../../base/text.ts'

/** Returns untrusted text as one line of plain Markdown: it cannot create a link, an image, HTML or a table cell. */
export function cell(text: string): string {
  return printableName(text.replace(/\s+/g, ' ').trim())
    .replace(/[\\`*_[\]<>|~&]/g, (each) => `\\${each}`)
    .replace(/\b(?:www\.|(?:https?|ftp):\/\/)/gi, (each) => `${each.slice(0, -1)}\u200b${each.slice(-1)}`)
}

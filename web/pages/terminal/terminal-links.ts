import type { ILink, ILinkProvider, Terminal } from '@xterm/xterm'

const address = /https?:\/\/[^\s"'`<>\\^{|}\u2500-\u259f]+/gi
/** Characters at the end of a URL that belong to the sentence around it. */
const trailing = /[.,;:!?)\]]+$/
/** The most rows that a line of text may be wrapped over, on each side of the pointer. */
const mostRows = 16

/** Returns a URL that may be opened (http or https); else null. */
export function openable(text: string): URL | null {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null
}

/** Finds URLs in the text of a terminal, even if they are wrapped. */
export function textLinks(terminal: Terminal, onLink: (text: string) => void): ILinkProvider {
  return {
    provideLinks(row, callback) {
      const buffer = terminal.buffer.active
      let [first, last] = [row - 1, row - 1]
      while (row - 1 - first < mostRows && buffer.getLine(first)?.isWrapped === true) first--
      while (last - row + 1 < mostRows && buffer.getLine(last + 1)?.isWrapped === true) last++
      let text = ''
      /** The position of each code unit of the text. */
      const places: { x: number; y: number }[] = []
      for (let y = first; y <= last; y++) {
        const line = buffer.getLine(y)
        for (let x = 0; line !== undefined && x < terminal.cols; x++) {
          const cell = line.getCell(x)
          if (cell === undefined || cell.getWidth() === 0) continue
          const characters = cell.getChars() || ' '
          text += characters
          for (let each = 0; each < characters.length; each++) places.push({ x: x + 1, y: y + 1 })
        }
      }
      const links: ILink[] = []
      for (const { 0: found, index } of text.matchAll(address)) {
        const link = found.replace(trailing, '')
        const [start, end] = [places[index], places[index + link.length - 1]]
        if (start === undefined || end === undefined || start.y > row || end.y < row || openable(link) === null) continue
        links.push({ text: link, range: { start, end }, activate: () => onLink(link) })
      }
      callback(links)
    },
  }
}

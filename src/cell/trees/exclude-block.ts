/**
 * The lines that Paddock adds to a list of ignored files (gitignore(5)) while cells run, between two comments that name who added them.
 * All texts are latin1: each character is a byte of the file.
 */
const marker = /^# paddock ([0-9a-f]+) (begin|begin in a new line|end|cut)$/

/** Returns what to append to a list so that it has these patterns; empty if the owner's lines in it have them. */
export function blockFor(text: string, owner: string, patterns: readonly string[]): string {
  const { own } = split(text, owner)
  const missing = patterns.filter((each) => !own.has(each))
  if (missing.length === 0) return ''
  const isLineOpen = text !== '' && !text.endsWith('\n')
  const begin = `# paddock ${owner} begin${isLineOpen ? ' in a new line' : ''}`
  return `${isLineOpen ? '\n' : ''}${[begin, ...missing, `# paddock ${owner} end`].join('\n')}\n`
}

/** Returns a list without the lines that this owner added; null: any owner. The rest is unchanged, to its last newline. */
export function withoutBlocks(text: string, owner: string | null): string {
  return split(text, owner).kept
}

/** Ends a list that was written over a longer one: neither the newline in front of it nor the rest of the file counts. */
export function cutMark(owner: string): string {
  return `\n# paddock ${owner} cut\n`
}

function split(text: string, owner: string | null): { readonly kept: string; readonly own: ReadonlySet<string> } {
  const own = new Set<string>()
  const lines = text.split(/(?<=\n)/)
  const marks = lines.map((line) => {
    const [, by, what] = marker.exec(line.trimEnd()) ?? []
    return by === undefined || (owner !== null && by !== owner) ? null : what
  })
  const lastEnd = marks.lastIndexOf('end')
  let kept = ''
  let isInside = false
  /** The length of what is kept when a newline was added behind it, which goes if nothing else was. */
  let opened = -1
  for (const [at, line] of lines.entries()) {
    const mark = marks[at]
    if (mark === 'cut') {
      kept = kept.slice(0, -1)
      break
    }
    if (mark === 'end') isInside = false
    else if (mark) {
      isInside = true
      if (mark !== 'begin') opened = kept.length
    } else if (isInside && line.startsWith('/')) own.add(line.replace(/\r?\n$/, ''))
    else {
      kept += line
      // Somebody who edited the file may have deleted the end.
      isInside &&= at < lastEnd
    }
  }
  return { kept: opened === kept.length ? kept.slice(0, -1) : kept, own }
}

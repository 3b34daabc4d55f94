/**
 * Matches the comments around the lines that Paddock adds to a list of ignored files (gitignore(5)) while cells run. Each names the owner.
 * All texts are latin1: each character is a byte of the file.
 */
const marker = /^# paddock ([0-9a-f]+) (begin|begin in a new line|end|cut)$/

/** Returns the text to append to a list so that it contains these patterns. Empty if the owner's lines already contain them. */
export function blockFor(text: string, owner: string, patterns: readonly string[]): string {
  const { own } = split(text, owner)
  const missing = patterns.filter((each) => !own.has(each))
  if (missing.length === 0) return ''
  const isLineOpen = text !== '' && !text.endsWith('\n')
  const begin = `# paddock ${owner} begin${isLineOpen ? ' in a new line' : ''}`
  return `${isLineOpen ? '\n' : ''}${[begin, ...missing, `# paddock ${owner} end`].join('\n')}\n`
}

/** Returns a list without the lines that this owner added, or any owner if null. The rest is unchanged, including its last newline. */
export function withoutBlocks(text: string, owner: string | null): string {
  return split(text, owner).kept
}

/** Returns the end of a list that was written over a longer one. The newline before it and the rest of the file are ignored. */
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
  /** The length of the kept text at the point where a newline was added. The newline is removed if nothing else was added after it. */
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
      // The end may be missing because somebody edited the file.
      isInside &&= at < lastEnd
    }
  }
  return { kept: opened === kept.length ? kept.slice(0, -1) : kept, own }
}

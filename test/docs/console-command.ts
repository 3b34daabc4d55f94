import type { ConsoleBlock } from './console-block.ts'

/** One command of a block, and its output according to the page. */
export interface ConsoleCommand {
  /** The text for bash, with its line ends. */
  readonly text: string
  /** The lines of output; empty if the page shows none. */
  readonly promised: readonly string[]
}

/**
 * Returns the commands of a block. In a `console` block a command starts with `$ `, and its output follows. In an `sh`
 * block every line is a command. A command continues over line ends that are quoted or escaped.
 */
export function commandsOf(block: ConsoleBlock): readonly ConsoleCommand[] {
  const commands: { text: string; promised: string[] }[] = []
  for (let at = 0; at < block.lines.length; at++) {
    const line = block.lines[at] ?? ''
    const prompt = block.form === 'console' ? /^\$ (.*)$/.exec(line)?.[1] : /^[^#\s].*$/.exec(line)?.[0]
    if (prompt === undefined) {
      if (block.form === 'console') commands.at(-1)?.promised.push(line)
      continue
    }
    let text = prompt
    while (goesOn(text) && at + 1 < block.lines.length) text += `\n${block.lines[++at] ?? ''}`
    commands.push({ text, promised: [] })
  }
  return commands
}

/** Returns true if a quote is open at the end, or the last character escapes the line end. */
function goesOn(text: string): boolean {
  let quote: string | null = null
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (quote === "'") {
      if (char === "'") quote = null
    } else if (char === '\\') {
      if (++at >= text.length) return true
    } else if (quote === '"') {
      if (char === '"') quote = null
    } else if (char === "'" || char === '"') quote = char
    else if (char === '#' && (at === 0 || /\s/.test(text[at - 1] ?? ''))) {
      const end = text.indexOf('\n', at)
      if (end === -1) return false
      at = end
    }
  }
  return quote !== null
}

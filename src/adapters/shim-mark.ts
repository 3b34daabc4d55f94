/** The start of the second line of a shim, before the name of its agent. A program with this line is never taken for an agent's own. */
export const shimMark = '# paddock-shim: '

/** Returns true for the text at the beginning of a shim. */
export function isShim(text: string): boolean {
  return shimAgent(text) !== null
}

/** Returns the agent of a shim from its text; null: the text is not that of a shim. */
export function shimAgent(text: string): string | null {
  const line = text.split('\n', 2)[1] ?? ''
  return line.startsWith(shimMark) ? line.slice(shimMark.length) : null
}

/** The most informative arguments of a call, by the names that tools of CLIs and models use. The first one that exists is used. */
const telling = [
  ...['command', 'cmd', 'file_path', 'filePath', 'absolute_path', 'path', 'pattern', 'query', 'url', 'question', 'agent', 'name'],
  ...['description', 'prompt', 'text', 'content'],
] as const

/** Returns the most informative argument of a call, or all of them as JSON. Empty if the call has no arguments. */
export function mainArgument(input: unknown): string {
  if (typeof input === 'string') return parsed(input)
  if (typeof input !== 'object' || input === null) return input === undefined || input === null ? '' : String(input)
  for (const key of telling) {
    const value = (input as Record<string, unknown>)[key]
    if (typeof value === 'string' && value !== '') return value
    if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')) return value.join(' ')
  }
  return Object.keys(input).length === 0 ? '' : JSON.stringify(input)
}

/** Parses arguments that some CLIs report as JSON text. */
function parsed(text: string): string {
  if (!text.startsWith('{')) return text
  try {
    return mainArgument(JSON.parse(text))
  } catch {
    return text
  }
}

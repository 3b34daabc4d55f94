/**
 * Returns the first key that occurs twice in one object of a JSON text, or null. `JSON.parse` silently keeps the last occurrence,
 * so two readers could see two different answers. The text must already be valid JSON (RFC 8259).
 */
export function duplicateKey(json: string): string | null {
  const open: (Set<string> | null)[] = []
  let key = false
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case '{':
        open.push(new Set())
        key = true
        break
      case '[':
        open.push(null)
        key = false
        break
      case '}':
      case ']':
        open.pop()
        key = false
        break
      case ',':
        key = open.at(-1) instanceof Set
        break
      case '"': {
        const end = closingQuote(json, at)
        const keys = open.at(-1)
        if (key && keys) {
          const name = String(JSON.parse(json.slice(at, end + 1)))
          if (keys.has(name)) return name
          keys.add(name)
        }
        key = false
        at = end
        break
      }
      default:
    }
  }
  return null
}

function closingQuote(json: string, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}

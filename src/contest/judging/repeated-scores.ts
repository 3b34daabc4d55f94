import { duplicateKey } from './duplicate-keys.ts'

/** A pattern for the start of an answer: an object whose first key is a key of an answer. */
const beginning = /\{\s*"(?:scores|reviews|comment)"\s*:/g
const verdictBeginning = /\{\s*"(?:better|why)"\s*:/g
const mostTried = 100

/**
 * Returns `scores` of the last JSON object in a text that has them, whatever surrounds the object (prose, a code fence). Objects with
 * duplicate keys are skipped. Null if no object has them.
 */
export function repeatedScores(text: string): object | null {
  return lastIn(text, beginning, ({ scores }) => (typeof scores === 'object' ? scores : null))
}

/** Returns `better` of the last JSON object in a text that has it, in the same way. */
export function repeatedVerdict(text: string): string | null {
  return lastIn(text, verdictBeginning, ({ better }) => (typeof better === 'string' ? better : null))
}

function lastIn<T>(text: string, beginnings: RegExp, pick: (value: Record<string, unknown>) => T | null): T | null {
  const starts = [...text.matchAll(beginnings)].slice(-mostTried)
  for (const { index } of starts.reverse()) {
    const json = objectAt(text, index)
    const picked = json === null ? null : pickedFrom(json, pick)
    if (picked !== null) return picked
  }
  return null
}

/** Returns the text from an opening brace to the matching closing brace; null if the brace is not closed. */
function objectAt(text: string, start: number): string | null {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{') depth += 1
    else if (character === '}') {
      depth -= 1
      if (depth === 0) return text.slice(start, at + 1)
    }
  }
  return null
}

function pickedFrom<T>(json: string, pick: (value: Record<string, unknown>) => T | null): T | null {
  try {
    const picked = pick(JSON.parse(json) as Record<string, unknown>)
    return duplicateKey(json) === null ? picked : null
  } catch {
    return null
  }
}

import { duplicateKey } from './duplicate-keys.ts'

/** Where an answer may begin: an object whose first key is one of its own. */
const beginning = /\{\s*"(?:scores|reviews|comment)"\s*:/g
const mostTried = 100

/**
 * Returns `scores` of the last JSON object in a text that has them, whatever is around it (prose, a code fence); null if no object has, or
 * it cannot be read in one way only.
 */
export function repeatedScores(text: string): object | null {
  const starts = [...text.matchAll(beginning)].slice(-mostTried)
  for (const { index } of starts.reverse()) {
    const json = objectAt(text, index)
    const scores = json === null ? null : scoresIn(json)
    if (scores !== null) return scores
  }
  return null
}

/** The text from an opening brace to the one that closes it; null if none does. */
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

function scoresIn(json: string): object | null {
  try {
    const { scores } = JSON.parse(json) as { scores?: unknown }
    return typeof scores === 'object' && scores !== null && duplicateKey(json) === null ? scores : null
  } catch {
    return null
  }
}

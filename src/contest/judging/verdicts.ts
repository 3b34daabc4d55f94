import { type Citation, type CitationRules, readCitations } from './citations.ts'
import { maxAnswerBytes } from './scores.ts'
import { exactKeys, kind, object, parseJson, quote, text, Wrong } from './strict-json.ts'

/** A judge's valid answer about two submissions. */
export interface PairVerdict {
  /** The label of the better submission, or `tie`. */
  readonly better: string
  readonly why: string | null
  readonly citations: readonly Citation[]
}

export type PairVerdictResult = { readonly ok: true; readonly verdict: PairVerdict } | { readonly ok: false; readonly problem: string }

/** Parses a judge's verdict.json. If it differs from the requested form, returns one sentence about the problem. Never throws. */
export function parseVerdict(bytes: Uint8Array, rules: CitationRules): PairVerdictResult {
  try {
    return { ok: true, verdict: read(bytes, rules) }
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, problem: error.message }
    throw error
  }
}

function read(bytes: Uint8Array, rules: CitationRules): PairVerdict {
  if (bytes.length > maxAnswerBytes) throw new Wrong('verdict.json is larger than 1 MiB')
  const answer = object(parseJson(bytes, 'verdict.json'), 'verdict.json')
  exactKeys(answer, ['better'], ['why', 'citations'], 'verdict.json')
  const { better } = answer
  const allowed = [...rules.labels, 'tie']
  if (typeof better !== 'string') throw new Wrong(`better must be one of ${allowed.join(', ')}, not ${kind(better)}`)
  if (!allowed.includes(better)) throw new Wrong(`better is ${quote(better)}, which is none of ${allowed.join(', ')}`)
  return {
    better,
    why: Object.hasOwn(answer, 'why') ? text(answer['why'], 'why') : null,
    citations: readCitations(answer['citations'], rules),
  }
}

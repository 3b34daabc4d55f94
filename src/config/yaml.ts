import { CST, isMap, isNode, isScalar, Lexer, LineCounter, type Node, type Pair, parseDocument, visit } from 'yaml'
import type { Problem, Source } from './config-problems.ts'

/** A YAML file after parsing, or its errors with their positions. */
export type ReadYaml = { readonly source: Source; readonly data: unknown } | { readonly problems: readonly Problem[] }

/** Messages of the YAML library about its own interface, with texts for the author of the file. */
const words: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'begins a second document (---); keep one',
}
/** Tags that only state the implicit type of a value (YAML 1.2, section 10). */
const plainTags = new Set(['str', 'int', 'float', 'bool', 'null', 'seq', 'map'].map((each) => `tag:yaml.org,2002:${each}`))

/** Rewrites the message of a stack overflow, which the library's composer reports as an error in the text. */
const deep = (message: string): string => (message.startsWith('Maximum call stack') ? 'is nested too deeply' : message)

/** The most words and marks (lexical tokens) of a file: more than anybody writes by hand, and read within a second. */
export const mostTokens = 200_000
/** The most aliases of a file. Each may stand for a large part of it. */
const mostAliases = 100

/**
 * Reads YAML 1.2 with unique keys, no custom tags, and limits on its size and on expanded aliases. `most`: the most lexical tokens. The work
 * grows with them and not with their square. Never throws because of the text.
 */
export function readYaml(text: string, most = mostTokens): ReadYaml {
  const lines = new LineCounter()
  const at = (offset: number | undefined, message: string): Problem => {
    const { line, col } = lines.linePos(offset ?? 0)
    return { line: Math.max(1, line), column: Math.max(1, col), key: '', message }
  }
  const excess = excessIn(text, most)
  if (excess !== null) return { problems: [{ line: 1, column: 1, key: '', message: excess }] }
  try {
    // The library compares each key with all others of its map.
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, strict: true, uniqueKeys: false, logLevel: 'error' })
    const broken = [...document.errors, ...document.warnings].map((each) => at(each.pos[0], words[each.code] ?? deep(each.message)))
    if (broken.length > 0) return { problems: broken }
    const odd: Problem[] = []
    const anchors = new Set<string>()
    visit(document, {
      Alias: (_, node, above) => {
        if (!anchors.has(node.source)) odd.push(at(node.range?.[0], `*${node.source} names no anchor before it`))
        else if (above.some((each) => isNode(each) && 'anchor' in each && each.anchor === node.source))
          odd.push(at(node.range?.[0], `*${node.source} is in what it stands for`))
      },
      Node: (_, node) => {
        if ('anchor' in node && node.anchor !== undefined) anchors.add(node.anchor)
        if ('tag' in node && node.tag !== undefined && !plainTags.has(node.tag))
          odd.push(at(node.range?.[0], 'has a tag (!!); write the value without it'))
        if (isMap(node)) odd.push(...repeatedIn(node.items).map((key) => at(key.range?.[0], 'Map keys must be unique')))
      },
      Pair: (_, { key }) => {
        const name = (key as { readonly value?: unknown } | null)?.value
        if (name === '__proto__')
          odd.push(at((key as { readonly range?: readonly number[] }).range?.[0], '__proto__ cannot be used as a name'))
      },
    })
    if (odd.length > 0) return { problems: odd }
    return { source: { document, lines }, data: document.toJS({ maxAliasCount: mostAliases }) }
  } catch (error) {
    if (error instanceof RangeError) return { problems: [at(0, 'is nested too deeply')] }
    // toJS() limits only the expansion of aliases. Unresolved aliases were found above.
    if (error instanceof ReferenceError) return { problems: [at(0, 'has aliases (*) that come to too much')] }
    throw error
  }
}

/** Returns the reason why a text is not composed; null: it may be. */
function excessIn(text: string, most: number): string | null {
  let [tokens, aliases] = [0, 0]
  for (const token of new Lexer().lex(text)) {
    if (++tokens > most) return `is too large: more than ${most.toLocaleString('en')} words and marks`
    if (CST.tokenType(token) === 'alias' && ++aliases > mostAliases) return `has more than ${mostAliases} aliases (*)`
  }
  return null
}

/** Returns the keys of a map that it has already. */
function repeatedIn(items: readonly Pair[]): readonly Node[] {
  const known = new Set<unknown>()
  return items.flatMap(({ key }) => {
    if (!isScalar(key)) return []
    const isKnown = known.has(key.value)
    known.add(key.value)
    return isKnown ? [key] : []
  })
}

import { LineCounter, parseDocument, visit } from 'yaml'
import type { Problem, Source } from './problems.ts'

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

/** Reads YAML 1.2 with unique keys, no custom tags, and a limit on expanded aliases. Never throws because of the text. */
export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter()
  const at = (offset: number | undefined, message: string): Problem => {
    const { line, col } = lines.linePos(offset ?? 0)
    return { line: Math.max(1, line), column: Math.max(1, col), key: '', message }
  }
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, strict: true, uniqueKeys: true, logLevel: 'error' })
    const broken = [...document.errors, ...document.warnings].map((each) => at(each.pos[0], words[each.code] ?? deep(each.message)))
    if (broken.length > 0) return { problems: broken }
    const odd: Problem[] = []
    visit(document, {
      Alias: (_, node) => {
        if (node.resolve(document) === undefined) odd.push(at(node.range?.[0], `*${node.source} names no anchor before it`))
      },
      Node: (_, node) => {
        if ('tag' in node && node.tag !== undefined && !plainTags.has(node.tag))
          odd.push(at(node.range?.[0], 'has a tag (!!); write the value without it'))
      },
      Pair: (_, { key }) => {
        const name = (key as { readonly value?: unknown } | null)?.value
        if (name === '__proto__')
          odd.push(at((key as { readonly range?: readonly number[] }).range?.[0], '__proto__ cannot be used as a name'))
      },
    })
    if (odd.length > 0) return { problems: odd }
    return { source: { document, lines }, data: document.toJS({ maxAliasCount: 100 }) }
  } catch (error) {
    if (error instanceof RangeError) return { problems: [at(0, 'is nested too deeply')] }
    // toJS() limits only the expansion of aliases. Unresolved aliases were found above.
    if (error instanceof ReferenceError) return { problems: [at(0, 'has aliases (*) that come to too much')] }
    throw error
  }
}

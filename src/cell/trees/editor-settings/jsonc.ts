import type { Node, ParseError } from 'jsonc-parser'

/** A value in JSON. Objects are maps, so that no name is special. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

/**
 * Returns the value of a text in JSON with comments, as VS Code's own parser reads it. Throws if the text has an error, if an object has the
 * same name twice, or if a comment contains a quotation mark: readers that skip comments in another way could find other names there.
 */
export async function readJsonc(text: string): Promise<Json> {
  const { parseTree, stripComments } = await import('jsonc-parser')
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  if (tree === undefined || errors.length > 0 || quotesIn(text) !== quotesIn(stripComments(text))) throw new Error('no plain JSON')
  return contentOf(tree)
}

const quotesIn = (text: string): number => text.split('"').length

function contentOf({ type, value, children = [] }: Node): Json {
  if (type === 'array') return children.map(contentOf)
  if (type !== 'object') return value
  const names = new Map(
    children.flatMap((each): [string, Json][] => {
      const [name, inside] = each.children ?? []
      return name === undefined || inside === undefined ? [] : [[name.value, contentOf(inside)]]
    }),
  )
  if (names.size !== children.length) throw new Error('a name occurs twice')
  return names
}

import { type Document, parseDocument } from 'yaml'

/** The path of a value, such as `egress`, `allow`. */
export type Place = readonly string[]

/** Returns the document that both form and YAML show. Null if the text is not valid YAML, in which case there is no form. */
export function read(text: string): Document | null {
  const document = parseDocument(text)
  const isGroup =
    document.contents === null ||
    (typeof document.contents === 'object' && 'items' in document.contents && document.toJS() instanceof Object)
  return document.errors.length > 0 || !isGroup || Array.isArray(document.toJS()) ? null : document
}

export function valueAt(document: Document, place: Place): unknown {
  let value: unknown = document.toJS()
  for (const each of place) value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[each] : undefined
  return value
}

/** Returns the text with a changed value; undefined removes the value and any groups that are then empty. Comments are kept. */
export function withValue(text: string, place: Place, value: unknown): string {
  const document = parseDocument(text)
  if (value !== undefined) {
    // Replace a scalar, such as `workspace: own`, with a group.
    for (let n = 1; n < place.length; n += 1) {
      const above = document.getIn(place.slice(0, n))
      if (above !== undefined && (typeof above !== 'object' || above === null)) document.deleteIn(place.slice(0, n))
    }
    document.setIn(place, document.createNode(value))
  } else {
    document.deleteIn(place)
    for (let n = place.length - 1; n > 0; n -= 1) {
      const above = valueAt(document, place.slice(0, n))
      if (typeof above === 'object' && above !== null && Object.keys(above).length === 0) document.deleteIn(place.slice(0, n))
    }
  }
  return document.toString({ lineWidth: 0 })
}

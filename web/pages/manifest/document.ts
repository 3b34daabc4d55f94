import { type Document, parseDocument } from 'yaml'

/** The place of a value: `egress`, `allow`. */
export type Place = readonly string[]

/** The one document that form and YAML are two views of. Null: it cannot be read as YAML, so there is no form. */
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

/** Returns the text with a value at a place; undefined takes it out, and the groups that are empty then. Comments stay. */
export function withValue(text: string, place: Place, value: unknown): string {
  const document = parseDocument(text)
  if (value !== undefined) {
    // A scalar, such as `workspace: own`, makes room for the group.
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

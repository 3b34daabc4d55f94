import { isDeepStrictEqual } from 'node:util'
import { Document, isAlias, isCollection, isMap, isPair, isSeq, type YAMLMap, type YAMLSeq } from 'yaml'
import { readYaml } from './yaml.ts'

/**
 * Returns a YAML text with `value` at `path`, in a key that is not there yet, or after the last item of the list there. Every other byte
 * stays the same, including comments, order and style. The result is parsed again and must differ only in what was added. Null: the text
 * is not valid, or has no simple place.
 */
export function insertYaml(text: string, path: readonly string[], value: unknown): string | null {
  const before = readYaml(text)
  if ('problems' in before) return null
  const root = before.source.document.contents
  const changed = root === null ? atEnd(text, path, value) : isMap(root) ? insert(text, root, path, value) : null
  const after = changed === null ? null : readYaml(changed)
  if (after === null || 'problems' in after || !isDeepStrictEqual(after.data, withValue(before.data ?? {}, path, value))) return null
  return changed
}

/** Returns plain data with the value added, as `insertYaml` adds it. */
function withValue(data: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return Array.isArray(data) ? [...data, ...(value as readonly unknown[])] : value
  const map = (data ?? {}) as Readonly<Record<string, unknown>>
  return { ...map, [key]: withValue(map[key], rest, value) }
}

interface Ranged {
  readonly range?: readonly number[]
}

function insert(text: string, root: YAMLMap, path: readonly string[], value: unknown): string | null {
  const isJson = root.flow === true
  let map = root
  for (const [index, key] of path.entries()) {
    const node = map.get(key, true)
    const rest = path.slice(index + 1)
    if (node === undefined) {
      const entry = { [key]: nested(rest, value) }
      if (map.flow === true) return intoFlow(text, map, isJson ? JSON.stringify(entry).slice(1, -1) : bare(entry))
      return map === root ? atEnd(text, path, value) : intoBlock(text, map, [bare(entry)])
    }
    if (isAlias(node)) return null
    if (isMap(node)) map = node
    else if (isSeq(node) && rest.length === 0 && Array.isArray(value)) return intoList(text, node, value, isJson)
    else return null
  }
  return null
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value)
}

function intoList(text: string, list: YAMLSeq, items: readonly unknown[], isJson: boolean): string | null {
  if (list.flow === true) return intoFlow(text, list, isJson ? JSON.stringify(items).slice(1, -1) : bare(items))
  const lines = items.map((each) => `- ${asLine(each)}`)
  return intoBlock(text, list, lines)
}

/** Inserts an entry after the last one of a list or map in flow style, as in JSON. */
function intoFlow(text: string, node: YAMLMap | YAMLSeq, entry: string): string | null {
  const last = node.items.at(-1)
  const end = last === undefined ? node.range?.[0] : endOfItem(last)
  if (end === undefined) return null
  return last === undefined
    ? `${text.slice(0, end + 1)}${entry}${text.slice(end + 1)}`
    : `${text.slice(0, end)}, ${entry}${text.slice(end)}`
}

/** Inserts lines after the last entry and the comments that are indented under it. */
function intoBlock(text: string, node: YAMLMap | YAMLSeq, entries: readonly string[]): string | null {
  const [start, last] = [node.range?.[0], endOfItem(node.items.at(-1))]
  if (start === undefined || last === undefined) return null
  const column = start - (text.lastIndexOf('\n', start - 1) + 1)
  let end = endOfLine(text, text.slice(0, last).trimEnd().length)
  for (let next = lineAt(text, end + 1); /^ *#/.test(next) && next.indexOf('#') > column; next = lineAt(text, end + 1))
    end = endOfLine(text, end + 1)
  const added = entries.map((each) => `${newline(text)}${' '.repeat(column)}${each}`).join('')
  return `${text.slice(0, end)}${added}${text.slice(end)}`
}

/** Returns the offset of the end of a list's item or a map's entry. */
function endOfItem(item: unknown): number | undefined {
  if (!isPair(item)) return (item as Ranged | undefined)?.range?.[1]
  return ((item.value ?? item.key) as Ranged | null)?.range?.[1]
}

/** Appends a key to the text, whose entries get a line each. */
function atEnd(text: string, [key = '', ...rest]: readonly string[], value: unknown): string {
  const document = new Document({ [key]: nested(rest, value) })
  const inner = isMap(document.contents) ? document.contents.get(key, true) : undefined
  if (isMap(inner) || isSeq(inner))
    for (const item of inner.items) {
      const entry = isPair(item) ? item.value : item
      if (isCollection(entry)) entry.flow = true
    }
  const line = newline(text)
  const gap = text === '' ? '' : `${text.endsWith('\n') ? '' : line}${line}`
  return `${text}${gap}${document.toString({ lineWidth: 0, flowCollectionPadding: true }).replaceAll('\n', line)}`
}

/** Returns the offset of the line break that ends the line at an offset. */
function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  if (end < 0) return text.length
  return text[end - 1] === '\r' ? end - 1 : end
}

function lineAt(text: string, offset: number): string {
  const start = text[offset] === '\n' ? offset + 1 : offset
  return start >= text.length ? '' : text.slice(start, endOfLine(text, start))
}

const newline = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

/** Returns a value as one line: a list or map in flow style. */
export function asLine(value: unknown): string {
  const document = new Document(value)
  if (isCollection(document.contents)) document.contents.flow = true
  return document.toString({ lineWidth: 0, flowCollectionPadding: true }).trim()
}

/** Returns the entries of a list or map in flow style, without its brackets. */
function bare(value: unknown): string {
  return asLine(value).slice(1, -1).trim()
}

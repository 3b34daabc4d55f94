import { isDeepStrictEqual } from 'node:util'
import { Document, isAlias, isMap, isPair, isSeq, type YAMLMap, type YAMLSeq } from 'yaml'
import { readYaml } from '../../config/yaml.ts'
import { messageOf, PaddockError } from '../../errors.ts'
import { parseContest } from './brief.ts'
import type { RoleConfig } from './schema.ts'

export type RoleGroup = 'participants' | 'judges'

/**
 * Returns a contest.yaml with one more participant or judge after the existing ones. Every other byte stays the same, including comments,
 * order and style. The result is parsed again and must differ only in the new entry.
 * @throws PaddockError BAD_INPUT if the entry would make the contest invalid, or if there is no place to insert it
 */
export function withRole(text: string, group: RoleGroup, role: RoleConfig): string {
  const before = readYaml(text)
  // The caller has already read this text as a contest.
  if ('problems' in before) throw new Error('contest.yaml changed')
  const root = before.source.document.contents
  const changed = isMap(root) ? insert(text, root, group, role) : null
  const after = changed === null ? null : readYaml(changed)
  const expected = before.data as Readonly<Record<string, unknown>>
  const list = (expected[group] as readonly unknown[] | undefined) ?? []
  if (
    changed === null ||
    after === null ||
    'problems' in after ||
    !isDeepStrictEqual(after.data, { ...expected, [group]: [...list, role] })
  )
    throw new PaddockError('BAD_INPUT', `contest.yaml, ${group}: there is no simple place for one more.`, {
      hint: `Add it by hand: ${asYaml(role)}`,
    })
  try {
    parseContest(changed)
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error
    throw new PaddockError('BAD_INPUT', `${role.name} cannot be added: ${messageOf(error)}`, { cause: error })
  }
  return changed
}

interface Ranged {
  readonly range?: readonly number[]
}

/** Returns the changed text. Null: an entry cannot simply be added to a list in this style. */
function insert(text: string, root: YAMLMap, group: RoleGroup, role: RoleConfig): string | null {
  const list = root.get(group, true)
  if (list === undefined)
    return root.flow === true ? intoFlow(text, root, `"${group}": [${JSON.stringify(role)}]`) : atEnd(text, group, role)
  if (!isSeq(list) || isAlias(list)) return null
  return list.flow === true ? intoFlow(text, list, JSON.stringify(role)) : intoBlock(text, list, role)
}

/** Inserts an entry after the last one of a list or map in flow style, as in JSON. */
function intoFlow(text: string, node: YAMLMap | YAMLSeq, entry: string): string | null {
  const last = node.items.at(-1)
  const end = last === undefined ? node.range?.[0] : ((isPair(last) ? last.value : last) as Ranged).range?.[1]
  if (end === undefined) return null
  return last === undefined
    ? `${text.slice(0, end + 1)}${entry}${text.slice(end + 1)}`
    : `${text.slice(0, end)}, ${entry}${text.slice(end)}`
}

/** Inserts a line after the last entry and the comments that are indented under it. */
function intoBlock(text: string, list: YAMLSeq, role: RoleConfig): string | null {
  const [start, last] = [list.range?.[0], (list.items.at(-1) as Ranged | undefined)?.range?.[1]]
  if (start === undefined || last === undefined) return null
  const column = start - (text.lastIndexOf('\n', start - 1) + 1)
  let end = endOfLine(text, text.slice(0, last).trimEnd().length)
  for (let next = lineAt(text, end + 1); /^ *#/.test(next) && next.indexOf('#') > column; next = lineAt(text, end + 1))
    end = endOfLine(text, end + 1)
  return `${text.slice(0, end)}${newline(text)}${' '.repeat(column)}- ${asYaml(role)}${text.slice(end)}`
}

function atEnd(text: string, group: RoleGroup, role: RoleConfig): string {
  const line = newline(text)
  return `${text}${text.endsWith('\n') ? '' : line}${line}${group}:${line}  - ${asYaml(role)}${line}`
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

/** Returns the role as one line in flow style. */
function asYaml(role: RoleConfig): string {
  const document = new Document(role)
  if (isMap(document.contents)) document.contents.flow = true
  return document.toString({ lineWidth: 0, flowCollectionPadding: true }).trim()
}

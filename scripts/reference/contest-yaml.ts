import { isDeepStrictEqual } from 'node:util'
import { safeNameRule } from '../../src/files/safe-name.ts'
import { code, heading, table } from './markdown.ts'

/** The part of a JSON Schema (draft 2020-12) that is used, in zod's form. */
interface Schema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

interface Section {
  readonly place: string
  /** Other keys that contain maps of the same kind. */
  readonly also: string[]
  readonly schema: Schema
}

/** Returns every key of contest.yaml: one table for the file itself and for each kind of map in it. */
export function contestYamlPage(root: unknown): string {
  return [
    heading('contest.yaml', 'src/contest/config/contest-schema.ts'),
    'Keys in bold are required, and unknown keys are refused. For editors: [contest.schema.json](contest.schema.json). For an example with most of them, see [writing a contest](../guide/contest-files.md#contestyaml).\n',
    'A _duration_ is a number and a unit (`500ms`, `90s`, `30m`, `2h`), and so is a _size_ (`200MB`, `512MiB`, `2GiB`).\n',
    `A _name_ has ${safeNameRule}, such as \`my-contest-2\`.\n`,
    ...keyTables(root, 'contest.yaml'),
  ].join('\n')
}

/** Returns every key of suite.yaml and of brief.yaml. */
export function suiteYamlPage(suite: unknown, brief: unknown): string {
  return [
    heading('suite.yaml', 'src/contest/suite/config/suite-schema.ts'),
    'Keys in bold are required, and unknown keys are refused. For editors: [suite.schema.json](suite.schema.json). For an example, see [suites](../guide/suites.md#suiteyaml). Keys under `contest` are those of [contest.yaml](contest-yaml.md).\n',
    ...[
      ...keyTables(suite, 'suite.yaml').filter((each) => /^## (suite|budget)/m.test(each)),
      ...keyTables(brief, 'brief.yaml').filter((each) => /^## (brief|limits)/m.test(each)),
    ].map((each) =>
      each.replace(/\]\(#(?!budget|limits)(\w+)\)/g, (_, to) => `](contest-yaml.md#${to === 'contest' ? 'contestyaml' : to})`),
    ),
  ].join('\n')
}

/** Returns a heading and a table of keys for the file itself and for each kind of map in it. */
export function keyTables(root: unknown, file: string): readonly string[] {
  const sections: Section[] = []
  collect({ place: file, also: [], schema: root as Schema }, sections, file)
  return sections.map((each) => sectionText(each, sections))
}

function collect(section: Section, all: Section[], file: string): void {
  all.push(section)
  for (const [key, schema] of Object.entries(section.schema.properties ?? {})) {
    const inner = mapIn(schema)
    const at = section.place === file ? key : `${section.place}.${key}`
    if (inner === null) continue
    const place = schema.type === 'array' ? `${at}[]` : typeof schema.additionalProperties === 'object' ? `${at}.NAME` : at
    const same = all.find((each) => isDeepStrictEqual(each.schema, inner))
    if (same === undefined) collect({ place, also: [], schema: inner }, all, file)
    else same.also.push(place)
  }
}

/** Returns the map that a key contains, directly or as the items of a list. */
function mapIn(schema: Schema): Schema | null {
  const named = typeof schema.additionalProperties === 'object' && schema.properties === undefined ? schema.additionalProperties : undefined
  const inner = schema.type === 'array' ? schema.items : (named ?? schema)
  if (inner?.properties === undefined) return null
  const { type, properties, required } = inner
  return { ...(type === undefined ? {} : { type }), properties, ...(required === undefined ? {} : { required }) }
}

function sectionText({ place, also, schema }: Section, all: readonly Section[]): string {
  const rows = Object.entries(schema.properties ?? {}).map(([key, each]) => {
    const needed = schema.required?.includes(key) === true && each.default === undefined
    return [
      needed ? `**${code(key)}**` : code(key),
      typeOf(each, all),
      each.default === undefined ? '' : code(JSON.stringify(each.default)),
      each.description ?? '',
    ]
  })
  const others = also.length === 0 ? '' : `And ${also.map(code).join(', ')}.\n\n`
  return `## ${place}\n\n${others}${table(['key', 'value', 'default', 'meaning'], rows)}`
}

function typeOf(schema: Schema, all: readonly Section[]): string {
  const map = mapIn(schema)
  const place = map === null ? undefined : all.find((each) => isDeepStrictEqual(each.schema, map))?.place
  if (place !== undefined) return `${schema.type === 'array' ? 'list of maps' : 'map'}: [${place}](#${anchor(place)})`
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum !== undefined) return schema.enum.map((each) => code(String(each))).join(', ')
  if (schema.anyOf !== undefined) return schema.anyOf.map((each) => typeOf(each, all)).join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {}, all).replace(/^text$/, 'texts')}`
  const { minimum, maximum } = schema
  const range = maximum === undefined || maximum > 1e9 ? '' : minimum === undefined ? `, at most ${maximum}` : `, ${minimum} to ${maximum}`
  return `${schema.title ?? (schema.type === 'string' ? 'text' : (schema.type ?? 'anything'))}${range}`
}

/** Returns the anchor of a heading as on common sites: lower case, without punctuation. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-')
}

import * as z from 'zod'
import { results } from '../../src/cli/results.ts'

/** Returns the schemas of all `--json` output, as one JSON Schema with a definition for each command, one on each line. */
export function resultsSchema(): string {
  const parts: Record<string, unknown> = {}
  const commands = Object.entries<z.ZodType>(results).map(([name, schema]) => {
    const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io: 'input' })
    Object.assign(parts, $defs)
    const id = schema.meta()?.id
    if (id === undefined || own['$ref'] !== undefined) return [`paddock ${name}`, own] as const
    parts[id] = own
    return [`paddock ${name}`, { $ref: `#/$defs/${id}` }] as const
  })
  const definitions = Object.entries({ ...Object.fromEntries(commands), ...parts })
  return `{
"$schema": "https://json-schema.org/draft/2020-12/schema",
"title": "What the commands of Paddock print with --json",
"$defs": {
${definitions.map(([name, definition]) => `${JSON.stringify(name)}: ${JSON.stringify(definition)}`).join(',\n')}
}
}
`
}

/** Returns the fields of a command's `--json` output, for its page; null for a command without one. */
export function resultFields(name: string): string | null {
  const schemas: Readonly<Record<string, z.ZodType>> = results
  const schema = schemas[name]
  if (schema === undefined) return null
  const fields = fieldsOf(schema)
  const isLine = schema.meta()?.['isLine'] === true
  return `With \`--json\`${isLine ? ', in each line' : ''}: ${fields.length === 0 ? '' : `${fields.map((each) => `\`${each}\``).join(', ')}; `}[schema](results.schema.json), \`paddock ${name}\`.\n`
}

/** Returns the fields of a schema; of the first form, if there are several. */
function fieldsOf(schema: z.ZodType): readonly string[] {
  if (schema instanceof z.ZodNullable) return fieldsOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodUnion) return fieldsOf(schema.options[0] as z.ZodType)
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

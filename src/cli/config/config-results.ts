import * as z from 'zod'

const settings = z.array(
  z.strictObject({
    key: z.string(),
    value: z.union([z.string(), z.number(), z.boolean()]),
    origin: z.string().describe('`default`, or FILE:LINE.'),
  }),
)
const trust = z.enum(['trusted', 'changed', 'unknown'])
const sha256 = z.string()

export const configResults = {
  init: z.strictObject({
    schemaVersion: z.literal(1),
    file: z.string(),
    exists: z.boolean().describe('Whether the file existed before.'),
    written: z.boolean(),
    added: z
      .array(z.strictObject({ key: z.string(), value: z.union([z.string(), z.array(z.string()), z.strictObject({})]) }))
      .describe('The keys that are or would be added, with a value or with further items of a list.'),
    text: z.string().nullable().describe('The text of a new file; null if the file existed.'),
    notes: z.array(z.string()),
  }),
  trust: z.strictObject({
    schemaVersion: z.literal(1),
    project: z.string(),
    file: z.string(),
    sha256,
    before: trust,
    trust,
    asksFor: settings,
  }),
  untrust: z.strictObject({ schemaVersion: z.literal(1), project: z.string(), was: z.boolean() }),
  'config show': z.strictObject({
    schemaVersion: z.literal(1),
    project: z.string(),
    userFile: z.string(),
    projectFile: z.strictObject({ file: z.string(), sha256, trust }).nullable(),
    settings,
  }),
}

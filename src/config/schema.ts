import path from 'node:path'
import * as z from 'zod'
import { budgetSchema, priceSchema } from './budget.ts'
import {
  agentShape,
  askedHost,
  bytes,
  egressShape,
  endpointShape,
  givenShape,
  groupOfKeys,
  host,
  limitsSchema,
  milliseconds,
  rule,
} from './request/schema.ts'

const place = z.string().regex(/^(\/|~\/)[^\0]*$/, { error: 'must be an absolute path, or one that starts with ~/' })
const masked = z
  .string()
  .regex(/^[^\0]+$/, { error: 'must be a path' })
  .refine((value) => value.startsWith('/') || value.startsWith('~/') || path.normalize(value).split('/')[0] !== '..', {
    error: 'must be a path in the project, an absolute one, or one that starts with ~/',
  })
const variable = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Limits of a project's file: it may not send a credential elsewhere, open internal addresses, or make more of the host writable. */
const unpinned = { error: 'cannot be pinned to an address here: that is yours to decide, not the project’s' }
const isUnpinned = (value: string): boolean => !value.includes('=')
const { block: _, ...projectEgress } = egressShape
const projectRun = {
  egress: z
    .strictObject(
      {
        ...projectEgress,
        policy: z.enum(['off', 'allowlist']).optional().describe('`off`: no network. `allowlist`: the hosts that are allowed.'),
        allow: z
          .array(host.refine(isUnpinned, unpinned))
          .optional()
          .describe('Hosts that the cell may reach: HOST[:PORT], `*.` in front for subdomains.'),
        ask: z
          .array(askedHost.refine(isUnpinned, unpinned))
          .optional()
          .describe('Hosts whose connections wait for your answer: HOST[:PORT], or `*` for every other name.'),
        inspect: z
          .array(host.refine(isUnpinned, unpinned))
          .optional()
          .describe('Hosts that the cell may reach and whose requests are judged: HOST[:PORT].'),
        rules: z
          .array(
            rule
              .refine((value) => !/^\s*allow\s/.test(value), {
                error: 'cannot allow anything here: rules of a project may only deny or ask, so that they never undo yours',
              })
              .refine((value) => !/^\s*\S+\s+\S+\s+[^/\s]*=/.test(value), unpinned),
          )
          .optional()
          .describe('Rules for requests, deny or ask: ACTION METHODS HOST/PATH.'),
      },
      groupOfKeys,
    )
    .optional()
    .describe('What the cell may reach.'),
  mask: z
    .array(masked.refine((value) => !/^[/~]/.test(value), { error: 'must be a path in the project' }))
    .optional()
    .describe('Files and directories of the project that appear empty, if they exist.'),
  ro: z.array(place).optional().describe('Paths that the cell sees, read-only; absolute, or from ~/.'),
  env: z
    .array(z.string().regex(variable, { error: 'must be the name of a variable; values do not belong into a project' }))
    .optional()
    .describe('Variables of your environment that are passed on, if they are set.'),
  copy: z.boolean().optional().describe('Work on a copy of the project.'),
  copyIgnored: z.boolean().optional().describe('Copy what git ignores, too.'),
  limits: limitsSchema.optional().describe('Limits of the cell; one that is written here is held, or the cell does not start.'),
}

const userRun = {
  ...projectRun,
  ...givenShape,
  egress: z.strictObject(egressShape, groupOfKeys).optional().describe('What the cell may reach.'),
  mask: z
    .array(masked)
    .optional()
    .describe('Files and directories that appear empty, if they exist: in the project, or absolute, or from ~/.'),
  rw: z.array(place).optional().describe('Paths that the cell may write to; absolute, or from ~/.'),
  login: z.boolean().optional().describe('Whether the agent is shown its own login of this machine.'),
}

const version = z.literal(1, { error: 'must be 1' }).describe('The version of this format.')

/** config.yaml in the user's configuration directory. */
export const userSchema = z.strictObject({
  schemaVersion: version,
  run: z.strictObject(userRun).optional().describe('Defaults of `paddock run`.'),
  agents: z
    .record(z.string(), z.strictObject({ ...agentShape, ...endpointShape }))
    .optional()
    .describe('Settings of single agents, by their names.'),
  fleet: z
    .strictObject({
      projects: z.array(place).describe('Directories that agents of the fleet may have as their project, with all below them.'),
      contests: z.array(place).describe('Directories with contests that the API may run, with all below them.'),
      retention: z
        .strictObject({
          age: milliseconds.describe('Jobs that ended longer ago are deleted, with their transcripts; without it, none for its age.'),
          size: bytes.describe('Transcripts and logs of ended jobs take at most so much, the oldest are deleted first; 20GiB by default.'),
          events: z.int().min(1000).max(1_000_000_000).describe('How many of the newest events are kept; 1,000,000 by default.'),
        })
        .partial()
        .describe('How long what jobs leave is kept. Homes, workspaces, and copies that wait for a review are never deleted.'),
      budgets: z
        .strictObject({ day: budgetSchema, month: budgetSchema })
        .partial()
        .describe('What all agents together may use in a day and in a month (UTC); without it, as much as they like.'),
      prices: z
        .record(z.string(), priceSchema)
        .describe('What models cost that their agents do not say, by the name of the model; `*`: any other.'),
      discord: z
        .strictObject({
          api: z.string().max(200).describe('The URL of its REST API; https, or http on this machine. Discord itself by default.'),
        })
        .partial()
        .describe('How the server reaches Discord. A bot is connected by `paddock discord connect`.'),
    })
    .partial()
    .optional()
    .describe('What `paddock serve` may use of this machine; nothing by default.'),
})

/** .paddock.yaml at the root of a project. It has fewer keys, because the user only agrees to it. */
export const projectSchema = z.strictObject({
  schemaVersion: version,
  run: z.strictObject(projectRun).optional().describe('Defaults of `paddock run` in this project.'),
  agents: z.record(z.string(), z.strictObject(agentShape)).optional().describe('Settings of single agents, by their names.'),
})

/** The parsed form of either file: a project's file is a user's file with fewer keys. */
export type Config = z.output<typeof userSchema>

/** Old keys, with the new ones that replaced them. */
export const renamedKeys: Readonly<Record<string, string>> = Object.fromEntries(
  ['allow', 'ask', 'block', 'presets', 'inspect', 'rules', 'ruleSets'].map((each) => [`run.${each}`, `run.egress.${each}`]),
)

/** Returns the JSON Schema (draft 2020-12) of one of the files. */
export function configJsonSchema(which: 'user' | 'project'): unknown {
  return z.toJSONSchema(which === 'user' ? userSchema : projectSchema, { io: 'input' })
}

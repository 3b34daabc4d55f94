import * as z from 'zod'
import { budgetSchema } from '../../config/budget.ts'
import { readBy } from '../../config/read-by.ts'
import { plainText, requestShape } from '../../config/request/schema.ts'
import { parseSecretWish } from '../../credentials/secret-wish.ts'
import { durationRule, parseDuration, parseSize, sizeRule } from '../../quantities.ts'
import { topicsSchema } from '../leases/topics.ts'
import { companyShape, modelShape } from './model.ts'

/** A name that is one word in URLs, commands and lists. Agents are identified by ids, not by this name. */
export const agentName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/, {
    error: 'must have 1 to 64 lower-case letters, digits, dots, hyphens or underscores, with a letter or digit at both ends',
  })
  .meta({ title: 'name' })

const label = z.string().regex(/^[a-z0-9](?:[a-z0-9._/-]{0,62}[a-z0-9])?$/, { error: 'must have 1 to 64 letters, digits or . _ / -' })
const duration = z.string().refine((value) => parseDuration(value) !== null, { error: `must be ${durationRule}` })
const size = z.string().refine((value) => parseSize(value) !== null, { error: `must be ${sizeRule}` })
const directory = z.string().regex(/^(?:\/|~\/)[^\0]*$/, { error: 'must be an absolute path' })

/** Takes the place of a CLI's name in manifests without a CLI. */
export const modelAgent = 'model'

/** An agent of the fleet, as its user describes it. Every value is text or a number as written; `manifestRequest` reads them. */
export const manifestSchema = z.strictObject({
  schemaVersion: z.literal(1, { error: 'must be 1' }).optional().describe('The version of this format.'),
  name: agentName.describe('What the agent is called.'),
  labels: z.array(label).max(32).optional().describe('Jobs can ask for any free agent with given labels.'),
  kind: z
    .enum(['cli', 'model'])
    .optional()
    .describe('`cli` (default): the CLI of an agent, or a command. `model`: a model with tools, which work in its cell.'),
  agent: z.string().min(1).default(modelAgent).describe('claude, codex, gemini, opencode, grok, command, or acp; not for kind model.'),
  command: z
    .array(plainText, { error: 'must be a list: the program, then its arguments' })
    .min(1, { error: 'must name a program' })
    .optional()
    .describe('For the agent `command`: the program and its arguments. The prompt comes on standard input.'),
  ...requestShape,
  ...modelShape,
  ...companyShape,
  env: z
    .array(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*=[^\0]*$/, {
        error: 'must be NAME=VALUE: a manifest gets nothing from the environment of the server. Use `secrets` for credentials',
      }),
    )
    .optional()
    .describe('Variables, as NAME=VALUE.'),
  secrets: z
    .array(
      readBy('secret', parseSecretWish).refine((value) => !/^[^=]*=env:/.test(value), {
        error: 'must come out of the vault or Azure Key Vault: a manifest gets nothing from the environment of the server',
      }),
    )
    .optional()
    .describe('Secrets that the cell holds placeholders for: NAME=vault:NAME or NAME=azure-kv://…, with @HOST behind it.'),
  workspace: z
    .union(
      [
        z.literal('own'),
        z.strictObject({ copy: directory.describe('A project of this machine; each job gets a copy.') }),
        z.strictObject({ project: directory.describe('A project of this machine; one job at a time works in it.') }),
      ],
      { error: 'must be own, { copy: PROJECT } or { project: PROJECT }' },
    )
    .optional()
    .describe('What a job works in. `own` (default): a directory of the agent that is kept from job to job.'),
  parallel: z.int().min(1).max(64).optional().describe('Jobs at once; 1 by default. Each has a home and a workspace of its own.'),
  restart: z
    .enum(['none', 'continue', 'again'])
    .optional()
    .describe('A job whose host process was lost: `none` (default) leaves it interrupted, `continue` goes on, `again` starts it anew.'),
  idle: duration.optional().describe('Without work for so long, its host process ends; 10m by default. Work wakes it.'),
  quota: size
    .optional()
    .describe('What its homes and workspaces may take on the disk together; a job ends when they do. Without it, each job has its limit.'),
  budgets: z
    .strictObject({
      job: budgetSchema.optional().describe('For each job.'),
      day: budgetSchema.optional().describe('For its jobs of a day (UTC), together.'),
      month: budgetSchema.optional().describe('For its jobs of a month (UTC), together.'),
    })
    .refine((value) => Object.keys(value).length > 0, { error: 'must have job, day or month' })
    .optional()
    .describe('What it may use. A job ends when its budget is used up; for the rest of the day or month its queue waits.'),
  memory: z
    .strictObject({
      last: z.int().min(1).max(50).describe('How many of its newest jobs are noted in /memory.md of its cells, with what came of them.'),
      inherit: agentName.optional().describe('When it is created, it inherits what this agent remembers.'),
    })
    .optional()
    .describe('What it remembers from job to job; without it, nothing.'),
  delegates: z
    .array(agentName)
    .max(32)
    .optional()
    .describe('Agents that it may give jobs to; they work under their own policies, and it gets their answers.'),
  topics: topicsSchema
    .optional()
    .describe('What the texts may be about that come in to it: regular expressions of JavaScript, without case, over jobs and messages.'),
  notes: z.string().max(10_000).optional().describe('For people.'),
})
export type Manifest = z.output<typeof manifestSchema>

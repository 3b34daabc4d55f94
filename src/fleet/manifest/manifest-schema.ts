import * as z from 'zod'
import { durationPattern, durationRule, parseDuration, parseSize, sizePattern, sizeRule } from '../../base/quantities.ts'
import { budgetSchema } from '../../config/budget.ts'
import { readBy } from '../../config/read-by.ts'
import { plainText, requestShape } from '../../config/request/request-schema.ts'
import { parseSecretWish } from '../../credentials/secret-wish.ts'
import { topicsSchema } from '../leases/topics.ts'
import { companyShape, modelShape } from './model.ts'

/** A name that is a single word in URLs, commands and lists. Agents are identified by ids, not by this name. */
export const agentName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/, {
    error: 'must have 1 to 64 lower-case letters, digits, dots, hyphens or underscores, with a letter or digit at both ends',
  })
  .meta({ title: 'name' })

const label = z.string().regex(/^[a-z0-9](?:[a-z0-9._/-]{0,62}[a-z0-9])?$/, { error: 'must have 1 to 64 letters, digits or . _ / -' })
const duration = z
  .string()
  .refine((value) => parseDuration(value) !== null, { error: `must be ${durationRule}` })
  .meta({ pattern: durationPattern })
const size = z
  .string()
  .refine((value) => parseSize(value) !== null, { error: `must be ${sizeRule}` })
  .meta({ pattern: sizePattern })
const directory = z.string().regex(/^(?:\/|~\/)[^\0]*$/, { error: 'must be an absolute path' })

/** The name that replaces a CLI's name in manifests without a CLI. */
export const modelAgent = 'model'

/** A user's description of an agent of the fleet. Every value is text or a number as written; `manifestRequest` reads them. */
export const manifestSchema = z.strictObject({
  schemaVersion: z.literal(1, { error: 'must be 1' }).optional().describe('The version of this format.'),
  name: agentName.describe('The name of the agent.'),
  labels: z.array(label).max(32).optional().describe('Jobs can ask for any free agent with these labels.'),
  kind: z
    .enum(['cli', 'model'])
    .optional()
    .describe('`cli` (default): an agent CLI, or a command. `model`: a model with tools that run in its cell.'),
  agent: z.string().min(1).default(modelAgent).describe('claude, codex, gemini, opencode, grok, command, or acp; not for kind model.'),
  command: z
    .array(plainText, { error: 'must be a list: the program, then its arguments' })
    .min(1, { error: 'must name a program' })
    .optional()
    .describe('For the agent `command`: the program and its arguments. It gets the prompt on standard input.'),
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
        error: 'must come from the vault or Azure Key Vault: a manifest gets nothing from the environment of the server',
      }),
    )
    .optional()
    .describe('Secrets that the cell gets placeholders for: NAME=vault:NAME or NAME=azure-kv://…, followed by @HOST.'),
  workspace: z
    .union(
      [
        z.literal('own'),
        z.strictObject({ copy: directory.describe('A project on this machine. Each job gets a copy.') }),
        z.strictObject({
          worktree: directory.describe('A git repository on this machine. Each job works in a work tree of its own, on its own branch.'),
        }),
        z.strictObject({ project: directory.describe('A project on this machine. One job at a time works in it.') }),
      ],
      { error: 'must be own, { copy: PROJECT }, { worktree: PROJECT } or { project: PROJECT }' },
    )
    .optional()
    .describe('Where its jobs work. `own` (default): a directory of the agent that is kept between jobs.'),
  parallel: z.int().min(1).max(64).optional().describe('Jobs at the same time; 1 by default. Each has a separate home and workspace.'),
  restart: z
    .enum(['none', 'continue', 'again'])
    .optional()
    .describe(
      'How to handle a job whose host process was lost: `none` (default) leaves it interrupted, `continue` continues it, `again` restarts it.',
    ),
  idle: duration.optional().describe('How long its host process stays without work; 10m by default. New work starts it again.'),
  quota: size
    .optional()
    .describe(
      'How much disk its homes and workspaces may use together. A job that exceeds it ends. Without it, each job has its own limit.',
    ),
  budgets: z
    .strictObject({
      job: budgetSchema.optional().describe('For each job.'),
      day: budgetSchema.optional().describe('For all its jobs of a day (UTC).'),
      month: budgetSchema.optional().describe('For all its jobs of a month (UTC).'),
    })
    .refine((value) => Object.keys(value).length > 0, { error: 'must have job, day or month' })
    .optional()
    .describe('What it may use. A job ends when its budget is used up, and its queue waits for the next day or month.'),
  memory: z
    .strictObject({
      last: z.int().min(1).max(50).describe('How many of its newest jobs are listed in /memory.md of its cells, with their results.'),
      inherit: agentName.optional().describe('The agent whose memory it inherits when it is created.'),
    })
    .optional()
    .describe('What it remembers between jobs; by default, nothing.'),
  delegates: z
    .array(agentName)
    .max(32)
    .optional()
    .describe('Agents that it may give jobs to. They work under their own policies, and it gets their answers.'),
  topics: topicsSchema
    .optional()
    .describe('Which topics incoming texts may have: case-insensitive JavaScript regular expressions for jobs and messages.'),
  notes: z.string().max(10_000).optional().describe('For humans.'),
})
export type Manifest = z.output<typeof manifestSchema>

import path from 'node:path'
import * as z from 'zod'
import { parseRepository } from '../egress/forge/repository.ts'
import { parseAllow, parseAsk } from '../egress/policy/allow.ts'
import { parseBlock } from '../egress/policy/block.ts'
import { parseRule, parseRuleSet } from '../egress/requests/rule-text.ts'
import { durationRule, parseDuration, parseSize, sizeRule } from '../quantities.ts'
import { readBy } from './read-by.ts'

const duration = z
  .string({ error: `must be ${durationRule}` })
  .meta({ title: 'duration' })
  .refine((value) => parseDuration(value) !== null, { error: `must be ${durationRule}` })
const size = z
  .string({ error: `must be ${sizeRule}` })
  .meta({ title: 'size' })
  .refine((value) => parseSize(value) !== null, { error: `must be ${sizeRule}` })

const limits = z
  .strictObject({
    timeout: duration.describe('Wall time; the cell is ended after it.'),
    silence: duration.describe('Longest time without any output.'),
    memory: size.describe('Memory of the whole cell.'),
    pids: z.int().min(1).max(1_000_000).describe('Processes of the whole cell.'),
    fileSize: size.describe('Size of one file.'),
    disk: size.describe('Growth of what the cell may write to.'),
  })
  .partial()

const host = readBy('host', (value, place) => parseAllow(value, { place }))
const rule = readBy('rule', parseRule)
const place = z.string().regex(/^(\/|~\/)[^\0]*$/, { error: 'must be an absolute path, or one that starts with ~/' })
const masked = z
  .string()
  .regex(/^[^\0]+$/, { error: 'must be a path' })
  .refine((value) => value.startsWith('/') || value.startsWith('~/') || path.normalize(value).split('/')[0] !== '..', {
    error: 'must be a path in the project, an absolute one, or one that starts with ~/',
  })
const noNul = z.string().regex(/^[^\0]*$/, { error: 'must not hold a NUL character' })
const variable = /^[A-Za-z_][A-Za-z0-9_]*$/

const agent = {
  model: noNul.min(1).optional().describe("The model, in the agent's own words."),
  args: z.array(noNul).optional().describe("Arguments for the agent's program, before those of the command line."),
}

/** What a project's file may say: nothing that sends a credential elsewhere, opens internal addresses, or makes more of the host writable. */
const unpinned = { error: 'cannot be pinned to an address here: that is yours to decide, not the project’s' }
const isUnpinned = (value: string): boolean => !value.includes('=')
const projectRun = {
  egress: z.enum(['off', 'allowlist']).optional().describe('What the cell may reach.'),
  allow: z
    .array(host.refine(isUnpinned, unpinned))
    .optional()
    .describe('Hosts that the cell may reach: HOST[:PORT], `*.` in front for subdomains.'),
  ask: z
    .array(readBy('host', parseAsk).refine(isUnpinned, unpinned))
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
  ruleSets: z
    .array(readBy('set of rules', parseRuleSet))
    .optional()
    .describe('Ready-made rules: git-push, publish, release, delete; `=ask` behind one asks instead of denying.'),
  presets: z.array(z.string().min(1)).optional().describe('Named groups of hosts: github, npm, pypi, apt, or an agent.'),
  mask: z
    .array(masked.refine((value) => !/^[/~]/.test(value), { error: 'must be a path in the project' }))
    .optional()
    .describe('Files and directories of the project that appear empty, where they exist.'),
  ro: z.array(place).optional().describe('Paths that the cell sees, read-only; absolute, or from ~/.'),
  env: z
    .array(z.string().regex(variable, { error: 'must be the name of a variable; values do not belong into a project' }))
    .optional()
    .describe('Variables of your environment that are passed on, where they are set.'),
  copy: z.boolean().optional().describe('Work on a copy of the project.'),
  copyIgnored: z.boolean().optional().describe('Copy what git ignores, too.'),
  limits: limits.optional().describe('Limits of the cell; one that is written here is held, or the cell does not start.'),
}

const userRun = {
  ...projectRun,
  egress: z.enum(['off', 'allowlist', 'public', 'open']).optional().describe('What the cell may reach.'),
  allow: z
    .array(host)
    .optional()
    .describe('Hosts that the cell may reach: HOST[:PORT], `*.` in front for subdomains; HOST:PORT=ADDRESS:PORT pins one.'),
  inspect: z
    .array(host)
    .optional()
    .describe('Hosts that the cell may reach and whose requests are judged: HOST[:PORT], pinned as in allow.'),
  rules: z.array(rule).optional().describe('Rules for requests: ACTION METHODS HOST/PATH.'),
  block: z.array(readBy('range', parseBlock)).optional().describe('With egress public: addresses and ranges that are rejected as well.'),
  mask: z
    .array(masked)
    .optional()
    .describe('Files and directories that appear empty, where they exist: in the project, or absolute, or from ~/.'),
  rw: z.array(place).optional().describe('Paths that the cell may write to; absolute, or from ~/.'),
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*(=[^\0]*)?$/, { error: 'must be NAME or NAME=VALUE' }))
    .optional()
    .describe('NAME passes a variable of your environment on, where it is set; NAME=VALUE sets one.'),
  secrets: z
    .array(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*=(vault:|env:|azure-kv:)[^@]+(@.+)?$/, {
        error: 'must be NAME=vault:NAME, NAME=env:NAME or NAME=azure-kv://…, with @HOST behind it where nobody else names its hosts',
      }),
    )
    .optional()
    .describe('Secrets that the cell holds stand-ins for: NAME=REF[@HOST,…]; a stand-in is swapped at the hosts of the secret alone.'),
  repos: z
    .array(readBy('repository', parseRepository))
    .optional()
    .describe('Repositories that git works with by your own token: HOST/OWNER/NAME, `=write` behind it for pushing too.'),
  login: z.boolean().optional().describe('Whether the agent is shown its own login of this machine.'),
}

const version = z.literal(1, { error: 'must be 1' }).describe('The version of this format.')

/** config.yaml in the user's configuration directory. */
export const userSchema = z.strictObject({
  schemaVersion: version,
  run: z.strictObject(userRun).optional().describe('Defaults of `paddock run`.'),
  agents: z
    .record(
      z.string(),
      z.strictObject({
        ...agent,
        baseUrl: z.url({ error: 'must be a URL' }).optional().describe("In place of the vendor's model endpoint."),
        credentials: z
          .string()
          .regex(/^(placeholder|endpoint|snapshot|none|volume(:[a-z0-9][a-z0-9-]{0,62})?)$/, {
            error: 'must be placeholder, endpoint, snapshot, volume, volume:NAME or none',
          })
          .optional()
          .describe('How its credential reaches it: placeholder (unless told), endpoint, snapshot, volume, volume:NAME or none.'),
      }),
    )
    .optional()
    .describe('Settings of single agents, by their names.'),
})

/** .paddock.yaml at the root of a project: fewer keys, because the user only agrees to it. */
export const projectSchema = z.strictObject({
  schemaVersion: version,
  run: z.strictObject(projectRun).optional().describe('Defaults of `paddock run` in this project.'),
  agents: z.record(z.string(), z.strictObject(agent)).optional().describe('Settings of single agents, by their names.'),
})

/** What either file comes to: a project's is one of the user's with keys left out. */
export type Config = z.output<typeof userSchema>

/** JSON Schemas (draft 2020-12) of both files. */
export function configJsonSchema(which: 'user' | 'project'): unknown {
  return z.toJSONSchema(which === 'user' ? userSchema : projectSchema, { io: 'input' })
}

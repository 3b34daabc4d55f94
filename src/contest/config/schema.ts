import * as z from 'zod'
import { readBy } from '../../config/read-by.ts'
import { parseRepository } from '../../egress/forge/repository.ts'
import { parseAllow, parseAsk } from '../../egress/policy/allow.ts'
import { parseBlock } from '../../egress/policy/block.ts'
import { parseRule, parseRuleSet } from '../../egress/requests/rule-text.ts'
import { messageOf } from '../../errors.ts'
import { safeNamePattern, safeNameRule } from '../../files/safe-name.ts'
import { durationRule, parseDuration, parseSize, sizeRule } from '../../quantities.ts'
import { parseSecretWish } from '../../run/bound-secrets.ts'
import { credentialModes, namedVolume } from '../../run/credential-way.ts'

const name = z
  .string()
  .regex(safeNamePattern, { error: `must be ${safeNameRule}` })
  .meta({ title: 'name' })
const text = (what: string) => z.string({ error: `must be ${what}` }).min(1, { error: `must be ${what}` })
const noNul = /^[^\0]*$/
const argument = z.string().regex(noNul, { error: 'must not hold a NUL character' })

const duration = z
  .string({ error: `must be ${durationRule}` })
  .meta({ title: 'duration' })
  .transform((value, context) => {
    const ms = parseDuration(value)
    if (ms === null) context.addIssue({ code: 'custom', message: `must be ${durationRule}` })
    return ms ?? 0
  })
const size = z
  .string({ error: `must be ${sizeRule}` })
  .meta({ title: 'size' })
  .transform((value, context) => {
    const bytes = parseSize(value)
    if (bytes === null) context.addIssue({ code: 'custom', message: `must be ${sizeRule}` })
    return bytes ?? 0
  })
const relativePath = z
  .string()
  .regex(/^(?!\/)[^\0]+$/, { error: 'must be a path relative to the contest directory' })
  .refine((value) => !value.split('/').includes('..'), { error: 'must stay inside the contest directory' })

const limitsSchema = z
  .strictObject({
    wall: duration.describe('Wall time; the agent is ended after it.'),
    silence: duration.describe('Longest time without any output.'),
    memory: size.describe('Memory of the whole cell.'),
    processes: z.int().min(1).max(1_000_000).describe('Processes and threads of the whole cell.'),
    disk: size.describe('What the writable places of the cell may grow by.'),
    fileSize: size.describe('Largest single file.'),
  })
  .partial()

const egressSchema = z.strictObject({
  policy: z
    .enum(['off', 'allowlist', 'public', 'open'])
    .describe(
      '`off`: no network. `allowlist`: the hosts named here and those the agent itself needs. `public`: the internet without any internal address. `open`: everything but loopback.',
    ),
  allow: z
    .array(z.string().min(1))
    .default([])
    .describe('HOST[:PORT], `*.` in front for subdomains; HOST:PORT=ADDRESS:PORT pins a service of your own.'),
  ask: z
    .array(readBy('host', parseAsk))
    .default([])
    .describe('Hosts whose connections wait for an answer (`paddock approvals`): HOST[:PORT], or `*` for every other name.'),
  presets: z.array(z.string().min(1)).default([]).describe('Named groups of hosts: github, pypi, npm, apt, or an agent.'),
  inspect: z
    .array(readBy('host', (value, place) => parseAllow(value, { place })))
    .default([])
    .describe('Hosts that the cell may reach and whose requests are judged: HOST[:PORT], pinned as in allow.'),
  rules: z.array(readBy('rule', parseRule)).default([]).describe('Rules for requests: ACTION METHODS HOST/PATH.'),
  ruleSets: z
    .array(readBy('set of rules', parseRuleSet))
    .default([])
    .describe('Ready-made rules: git-push, publish, release, delete; `=ask` behind one asks instead of denying.'),
  block: z
    .array(readBy('range', parseBlock))
    .default([])
    .describe('With `public`: ranges that are internal besides those known: an address, or CIDR.'),
})

const secretText = z.string().superRefine((value, context) => {
  try {
    parseSecretWish(value, 'here')
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error).replace(/^here: /, '') })
  }
})

const repository = readBy('repository', parseRepository)

const contender = {
  name: name.describe('Becomes a directory; judges never see it.'),
  agent: text('the name of an agent, such as claude, codex, gemini, opencode or command').describe(
    'claude, codex, gemini, opencode, grok, or command.',
  ),
  family: z
    .enum(['anthropic', 'openai', 'google', 'xai', 'various', 'none'])
    .optional()
    .describe('The model vendor behind it, where the agent alone does not tell.'),
  model: z.string().min(1).optional().describe("The agent's own word for the model."),
  args: z.array(argument).default([]).describe("Further arguments for the agent's program."),
  baseUrl: z.url({ error: 'must be a URL' }).optional().describe("In place of the vendor's model endpoint."),
  command: z
    .array(argument, { error: 'must be a list: the program, then its arguments' })
    .min(1, { error: 'must name a program' })
    .optional()
    .describe('For the agent `command`: the program and its arguments. The prompt comes on standard input.'),
  files: relativePath.optional().describe('A directory beside contest.yaml that this one sees, read-only, as /agent.'),
  env: z
    .array(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*(=[^\0]*)?$/, { error: 'must be NAME (passed on from your environment) or NAME=VALUE' }),
    )
    .default([])
    .describe('NAME passes a variable of your environment on, NAME=VALUE sets one.'),
  credentials: z
    .union([z.enum(credentialModes), z.string().regex(namedVolume)], {
      error: `must be one of ${credentialModes.join(', ')}, or volume:NAME`,
    })
    .optional()
    .describe(
      'How its credential reaches it: a stand-in that is worth nothing, a read-only copy of the login, the login of a volume of `paddock login` (one cell at a time), or not at all.',
    ),
  secrets: z
    .array(secretText)
    .default([])
    .describe(
      'Secrets that its cells hold stand-ins for: NAME=vault:NAME, NAME=env:NAME or NAME=azure-kv://…, with @HOST where nobody else names its hosts.',
    ),
  repos: z
    .array(repository)
    .default([])
    .describe('Repositories that git works with by your own token: HOST/OWNER/NAME, `=write` behind it for pushing too.'),
  limits: limitsSchema.default({}).describe('A limit that is written here is held, or the cell does not start.'),
  egress: egressSchema.optional().describe('Default: what the agent itself needs; nothing for `command`.'),
}
const participantSchema = z.strictObject(contender)
const judgeSchema = z.strictObject(contender)

const dimensionSchema = z.strictObject({
  id: name.describe('The key that judges use.'),
  weight: z.number().positive().max(1e6).default(1).describe('What it counts beside the other dimensions.'),
  description: z.string().min(1).describe('What judges are told to look at.'),
})

const checkSchema = z.strictObject({
  name: name.describe('What the report calls it.'),
  command: z
    .union([z.string().min(1), z.array(argument).min(1)], { error: 'must be a shell line, or a list: the program, then its arguments' })
    .describe('Runs in /submission, in a fresh cell without network; exit code 0 passes.'),
  timeout: duration.optional().describe('Wall time; `timeouts.check` unless told.'),
  weight: z.number().positive().max(1e6).default(1).describe('What it counts beside the other checks.'),
  files: relativePath.optional().describe('A directory beside contest.yaml, read-only at /check: tests that participants never see.'),
})

export const contestSchema = z.strictObject({
  schemaVersion: z.literal(1, { error: 'must be 1' }).describe('The version of this format.'),
  name: name.describe('What the report calls the contest.'),
  description: z.string().max(2000).optional().describe('One line for the report.'),
  participants: z
    .array(participantSchema)
    .min(1, { error: 'needs at least one participant' })
    .max(1000)
    .describe('Who works on the brief.'),
  judges: z.array(judgeSchema).max(1000).default([]).describe('Who scores the sealed work; without them the checks rank.'),
  rubric: z
    .strictObject({
      scale: z
        .strictObject({ min: z.number().describe('The worst.'), max: z.number().describe('The best.') })
        .default({ min: 0, max: 10 })
        .describe('What judges score each dimension in.'),
      dimensions: z.array(dimensionSchema).min(1, { error: 'needs at least one dimension' }).max(50).describe('What judges score.'),
    })
    .optional()
    .describe('By what judges score; needed where there are judges.'),
  checks: z.array(checkSchema).max(200).default([]).describe('Programs that try each sealed submission.'),
  mask: z
    .array(relativePath)
    .max(200)
    .default([])
    .describe('Files and directories in raw/ (or in somebody’s `files`) that appear empty in every cell.'),
  outputs: z
    .strictObject({
      required: z.array(relativePath).default([]).describe('Paths or globs below out/ that a submission must have.'),
      maxBytes: size.optional().describe('Largest submission; 1GiB unless told.'),
      maxFiles: z.int().min(1).max(1_000_000).default(20_000).describe('Most files of a submission.'),
    })
    .default({ required: [], maxFiles: 20_000 })
    .describe('What a submission must have, and how large it may be.'),
  timeouts: z
    .strictObject({
      participant: duration.describe('30m unless told.'),
      judge: duration.describe('15m unless told.'),
      check: duration.describe('60s unless told.'),
    })
    .partial()
    .default({})
    .describe('Wall times for those who name none.'),
  judging: z
    .strictObject({
      policy: z
        .enum(['distinct-family', 'warn', 'allow-self'])
        .default('distinct-family')
        .describe("Whether a judge's model may come from the vendor of a participant: no; yes, and the report says so; yes."),
    })
    .default({ policy: 'distinct-family' })
    .describe('Who may judge whom.'),
  parallel: z.int().min(1).max(1000).optional().describe('Cells at the same time; by memory unless told.'),
})

export type ContestConfig = z.output<typeof contestSchema>
export type Contender = z.output<typeof participantSchema>
export type CheckConfig = z.output<typeof checkSchema>
export type LimitsConfig = z.output<typeof limitsSchema>

/** JSON Schema (draft 2020-12) of contest.yaml, as editors and `docs/reference/` use it. */
export function contestJsonSchema(): unknown {
  return z.toJSONSchema(contestSchema, { io: 'input' })
}

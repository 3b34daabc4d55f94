import * as z from 'zod'
import { backendSchema, bytes, host, milliseconds, plainText, postureSchema, requestShape } from '../../config/request/request-schema.ts'
import { setupSchema } from '../../config/setup-schema.ts'
import { safeNamePattern, safeNameRule } from '../../files/safe-name.ts'
import { broughtShape, relativePath } from './brought-schema.ts'
import { placeInCheck, workspaceSchema } from './contest-workspace.ts'
import { expandVariants, type Variant } from './variants.ts'

const name = z
  .string()
  .regex(safeNamePattern, { error: `must be ${safeNameRule}` })
  .meta({ title: 'name' })
const text = (what: string) => z.string({ error: `must be ${what}` }).min(1, { error: `must be ${what}` })

const family = z
  .string()
  .regex(/^(?!various$)[a-z0-9][a-z0-9._-]{0,39}$/, { error: 'must be the name of a vendor in lower case, such as anthropic, or none' })

const role = {
  name: name.describe('Used as a directory name; judges never see it.'),
  agent: text('the name of an agent, such as claude, codex, gemini, opencode or command').describe(
    'claude, codex, gemini, opencode, grok, command, or acp.',
  ),
  family: family.optional().describe('The vendor of its model, if agent and model do not determine it; `none` if there is no model.'),
  families: z.array(family).min(1).max(20).optional().describe('The vendors, for an agent that uses models of several.'),
  command: z
    .array(plainText, { error: 'must be a list: the program, then its arguments' })
    .min(1, { error: 'must name a program' })
    .optional()
    .describe('For the agents `command` and `acp`: the program and its arguments. A command gets the prompt on standard input.'),
  files: relativePath.optional().describe('A directory next to contest.yaml that this one sees, read-only, as /agent.'),
  ...requestShape,
}
const { name: _name, agent: _agent, ...variable } = { ...role, ...broughtShape }
const participantSchema = z.strictObject({
  ...role,
  ...broughtShape,
  variants: z
    .record(name, z.strictObject(variable))
    .optional()
    .describe(
      'Makes several participants of this one, named NAME-VARIANT. The keys of a variant replace those of the participant. The first variant is the base that reports compare the others with.',
    ),
})
const judgeSchema = z.strictObject(role)

const dimensionSchema = z.strictObject({
  id: name.describe('The key that judges use for the dimension.'),
  weight: z.number().positive().max(1e6).default(1).describe('Its weight relative to the other dimensions.'),
  description: z.string().min(1).describe('What judges should look at.'),
})

const commandLine = z.union([z.string().min(1), z.array(plainText).min(1)], {
  error: 'must be a shell line, or a list: the program, then its arguments',
})

const checkSchema = z.strictObject({
  name: name.describe('The name of the check in the report.'),
  run: commandLine
    .optional()
    .describe('Runs the submission, in /submission, in a new cell without network. `verify` sees only what it leaves in /result.'),
  verify: commandLine.optional().describe('Checks /result in a second new cell that never sees the submission; exit code 0 passes.'),
  command: commandLine
    .optional()
    .describe('Instead of both: checks in /submission. Code of the submission that runs there can fake the result.'),
  timeout: milliseconds.optional().describe('Wall time of each cell; `timeouts.check` by default.'),
  weight: z.number().positive().max(1e6).default(1).describe('Its weight relative to the other checks.'),
  repeats: z.int().min(1).max(20).default(1).describe('How often it runs on each submission. Different results mark it as flaky.'),
  files: relativePath
    .optional()
    .describe('A directory next to contest.yaml, read-only at /check for `verify` or `command`, with answers that participants never see.'),
  inputs: relativePath.optional().describe('A directory next to contest.yaml, read-only at /inputs in all cells of the check.'),
  filesAt: placeInCheck.optional().describe('Where `files` appears instead of /check.'),
  rewardAt: placeInCheck.optional().describe('Where the check writes its number instead of /reward.'),
  posture: postureSchema.optional().describe('The isolation level of its cells.'),
  backend: backendSchema.optional().describe('The backend that builds its cells.'),
})

const rankingBasis = z.enum(['judges', 'checks', 'checks-then-judges'])

export const contestSchema = z.strictObject({
  schemaVersion: z.literal(1, { error: 'must be 1' }).describe('The version of this format.'),
  name: name.describe('The title of the contest in the report.'),
  description: z.string().max(2000).optional().describe('One line for the report.'),
  participants: z
    .array(participantSchema)
    .min(1, { error: 'needs at least one participant' })
    .max(1000)
    .describe('Who works on the brief.')
    .transform(expandVariants),
  judges: z.array(judgeSchema).max(1000).default([]).describe('Who scores the sealed work. Without judges, the checks rank.'),
  rubric: z
    .strictObject({
      scale: z
        .strictObject({ min: z.number().describe('The lowest score.'), max: z.number().describe('The highest score.') })
        .default({ min: 0, max: 10 })
        .describe('The range of a score.'),
      dimensions: z
        .array(dimensionSchema)
        .min(1, { error: 'needs at least one dimension' })
        .max(50)
        .describe('The dimensions that judges score.'),
    })
    .optional()
    .describe('How judges score; required if there are judges.'),
  checks: z.array(checkSchema).max(200).default([]).describe('Programs that test each sealed submission.'),
  oracle: relativePath
    .optional()
    .describe(
      'A directory next to contest.yaml with a correct solution, which `contest lint --try` runs the checks on. Only the checks see it.',
    ),
  ranking: z
    .union([
      rankingBasis.transform((by) => ({ by, counts: 'delivered' as const })),
      z.strictObject({
        by: rankingBasis.default('judges'),
        counts: z
          .enum(['delivered', 'strength'])
          .default('delivered')
          .describe('In a suite: whether a participant that fails to deliver through its own fault loses, or only delivered work counts.'),
      }),
    ])
    .default({ by: 'judges', counts: 'delivered' })
    .describe('What decides the ranking: judges (or checks, if nobody judged), only checks, or checks and then judges.'),
  posture: postureSchema
    .optional()
    .describe('The isolation level of all cells without their own; L2 by default. A lower one than L2 needs your trust.'),
  backend: backendSchema.optional().describe('The backend that builds all cells without their own; auto by default.'),
  start: relativePath
    .optional()
    .describe(
      'A directory next to contest.yaml with the files that participants start with, in out/ or in the directories of the workspace.',
    ),
  setup: setupSchema(host.refine((value) => !value.includes('='), { error: 'cannot be pinned to an address here' })).describe(
    'A command that makes directories in the files that participants start with, such as `npm ci`. They are not submitted.',
  ),
  workspace: workspaceSchema
    .optional()
    .describe('Where participants and checks work instead of /contest/out and /submission, for tasks that use absolute paths.'),
  mask: z
    .array(relativePath)
    .max(200)
    .default([])
    .describe('Files and directories in raw/ (or in a `files` directory) that appear empty in every cell.'),
  outputs: z
    .strictObject({
      required: z.array(relativePath).default([]).describe('Paths or globs relative to out/ that a submission must contain.'),
      maxBytes: bytes.optional().describe('Largest submission; 1GiB by default.'),
      maxFiles: z.int().min(1).max(1_000_000).default(20_000).describe('Maximum number of files in a submission.'),
    })
    .default({ required: [], maxFiles: 20_000 })
    .describe('What a submission must contain, and how large it may be.'),
  timeouts: z
    .strictObject({
      participant: milliseconds.describe('30m by default.'),
      judge: milliseconds.describe('15m by default.'),
      check: milliseconds.describe('60s by default.'),
    })
    .partial()
    .default({})
    .describe('Wall times for those without their own.'),
  judging: z
    .strictObject({
      policy: z
        .enum(['distinct-family', 'warn', 'allow-self'])
        .default('distinct-family')
        .describe("Whether a judge's model may be from the same vendor as a participant's: no; yes, with a note in the report; yes."),
      mode: z
        .enum(['rubric', 'pairwise', 'both'])
        .default('rubric')
        .describe(
          'What judges are asked: to score all submissions by the rubric, to choose the better of each pair in both orders, or both.',
        ),
      comparisons: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe('Pairs that each judge compares; by default all, or 15 if there are more than six submissions.'),
      repeats: z
        .int()
        .min(1)
        .max(20)
        .default(1)
        .describe('How often each judge scores by the rubric, each time in another order. Its scores are the mean.'),
      controls: z
        .union([z.boolean(), z.int().min(1).max(20)])
        .default(false)
        .describe('Whether judges are tested too, or in how many trials: 3 by default, 5 by pairs. A judge that fails does not count.'),
      identity: z
        .enum(['flag', 'redact', 'ignore'])
        .default('flag')
        .describe(
          'How to handle names of agents, models, vendors and authors in submissions: list them in the report, hide them from judges, or nothing.',
        ),
      orders: z
        .enum(['flag', 'redact', 'ignore'])
        .default('flag')
        .describe('How to handle lines that order the judge to prefer a submission: list them, hide them from judges, or nothing.'),
    })
    .default({ policy: 'distinct-family', mode: 'rubric', repeats: 1, controls: false, identity: 'flag', orders: 'flag' })
    .describe('Which judges see whose work, and what they are asked.'),
  budget: z
    .number()
    .positive()
    .max(1e6)
    .optional()
    .describe(
      'US dollars, as far as agents report costs. Once they are spent, no more agents start. With a higher budget, the contest continues.',
    ),
  waitForLimits: milliseconds
    .optional()
    .describe("How long the contest waits for an agent's rate limit to end before it runs the agent again; not at all by default."),
  partial: z
    .enum(['judge', 'leave'])
    .default('leave')
    .describe('How to handle the work of participants that timed out: judge and mark it, or leave it out.'),
  parallel: z.int().min(1).max(1000).optional().describe('Cells at the same time; by default as many as fit in memory.'),
})

export type ContestConfig = z.output<typeof contestSchema>
/** The settings of a participant or judge in contest.yaml. */
export type RoleConfig = Omit<z.output<typeof participantSchema>, 'variants'> & { readonly variant?: Variant }
export type CheckConfig = z.output<typeof checkSchema>

/** Old keys with their replacements. */
export const renamedKeys: Readonly<Record<string, string>> = Object.fromEntries(
  ['participants', 'judges'].flatMap((each) => [
    [`${each}[].limits.wall`, 'limits.timeout'],
    [`${each}[].limits.processes`, 'limits.pids'],
  ]),
)

/** Returns the JSON Schema (draft 2020-12) of contest.yaml, for editors and `docs/reference/`. */
export function contestJsonSchema(): unknown {
  return z.toJSONSchema(contestSchema, { io: 'input' })
}

import * as z from 'zod'
import { bytes, milliseconds, plainText, requestShape } from '../../config/request/schema.ts'
import { safeNamePattern, safeNameRule } from '../../files/safe-name.ts'
import { placeInCheck, workspaceSchema } from './workspace.ts'

const name = z
  .string()
  .regex(safeNamePattern, { error: `must be ${safeNameRule}` })
  .meta({ title: 'name' })
const text = (what: string) => z.string({ error: `must be ${what}` }).min(1, { error: `must be ${what}` })

const family = z
  .string()
  .regex(/^(?!various$)[a-z0-9][a-z0-9._-]{0,39}$/, { error: 'must be the name of a vendor in lower case, such as anthropic, or none' })

const relativePath = z
  .string()
  .regex(/^(?!\/)[^\0]+$/, { error: 'must be a path relative to the contest directory' })
  .refine((value) => !value.split('/').includes('..'), { error: 'must stay inside the contest directory' })

const role = {
  name: name.describe('Becomes a directory; judges never see it.'),
  agent: text('the name of an agent, such as claude, codex, gemini, opencode or command').describe(
    'claude, codex, gemini, opencode, grok, command, or acp.',
  ),
  family: family.optional().describe('The vendor of the model behind it, where agent and model do not tell; `none` if there is no model.'),
  families: z.array(family).min(1).max(20).optional().describe('The same, for an agent that uses models of several vendors.'),
  command: z
    .array(plainText, { error: 'must be a list: the program, then its arguments' })
    .min(1, { error: 'must name a program' })
    .optional()
    .describe('For the agents `command` and `acp`: the program and its arguments. A command gets the prompt on standard input.'),
  files: relativePath.optional().describe('A directory beside contest.yaml that this one sees, read-only, as /agent.'),
  ...requestShape,
}
const participantSchema = z.strictObject(role)
const judgeSchema = z.strictObject(role)

const dimensionSchema = z.strictObject({
  id: name.describe('The key that judges use.'),
  weight: z.number().positive().max(1e6).default(1).describe('What it counts beside the other dimensions.'),
  description: z.string().min(1).describe('What judges have to look at.'),
})

const commandLine = z.union([z.string().min(1), z.array(plainText).min(1)], {
  error: 'must be a shell line, or a list: the program, then its arguments',
})

const checkSchema = z.strictObject({
  name: name.describe('What the report calls it.'),
  run: commandLine
    .optional()
    .describe('Runs the submission, in /submission, in a fresh cell without network; what it leaves in /result is what `verify` sees.'),
  verify: commandLine.optional().describe('Decides on /result, in a second fresh cell that never sees the submission; exit code 0 passes.'),
  command: commandLine
    .optional()
    .describe('In place of both: decides in /submission. Whatever the submission runs there can decide instead of it.'),
  timeout: milliseconds.optional().describe('Wall time of each cell; by default `timeouts.check`.'),
  weight: z.number().positive().max(1e6).default(1).describe('What it counts beside the other checks.'),
  repeats: z.int().min(1).max(20).default(1).describe('How often it runs on each submission: different results make it flaky.'),
  files: relativePath
    .optional()
    .describe('A directory beside contest.yaml, read-only at /check for `verify` or `command`: answers that participants never see.'),
  inputs: relativePath.optional().describe('A directory beside contest.yaml, read-only at /inputs in all cells of the check.'),
  filesAt: placeInCheck.optional().describe('Where `files` is seen in place of /check.'),
  rewardAt: placeInCheck.optional().describe('Where the check leaves its number in place of /reward.'),
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
    .describe('By what judges score; needed if there are judges.'),
  checks: z.array(checkSchema).max(200).default([]).describe('Programs that try each sealed submission.'),
  oracle: relativePath
    .optional()
    .describe('A directory beside contest.yaml with a right answer, which `contest lint --try` has the checks pass; nobody else sees it.'),
  ranking: z
    .enum(['judges', 'checks', 'checks-then-judges'])
    .default('judges')
    .describe('What ranks: judges (checks, if nobody judged), only checks, or checks and then judges.'),
  start: relativePath
    .optional()
    .describe('A directory beside contest.yaml: what participants begin with in out/, or in the directories of the workspace.'),
  workspace: workspaceSchema
    .optional()
    .describe('Where participants and checks work in place of /contest/out and /submission, for tasks that name absolute paths.'),
  mask: z
    .array(relativePath)
    .max(200)
    .default([])
    .describe('Files and directories in raw/ (or in somebody’s `files`) that appear empty in every cell.'),
  outputs: z
    .strictObject({
      required: z.array(relativePath).default([]).describe('Paths or globs below out/ that a submission must have.'),
      maxBytes: bytes.optional().describe('Largest submission; by default 1GiB.'),
      maxFiles: z.int().min(1).max(1_000_000).default(20_000).describe('Most files of a submission.'),
    })
    .default({ required: [], maxFiles: 20_000 })
    .describe('What a submission must have, and how large it may be.'),
  timeouts: z
    .strictObject({
      participant: milliseconds.describe('By default 30m.'),
      judge: milliseconds.describe('By default 15m.'),
      check: milliseconds.describe('By default 60s.'),
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
      mode: z
        .enum(['rubric', 'pairwise', 'both'])
        .default('rubric')
        .describe('What judges are asked: scores of all by the rubric; which of two is better, for each pair in both orders; or both.'),
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
        .describe('How often each judge scores by the rubric, in another order each time; its scores are the mean.'),
      controls: z.boolean().default(false).describe('Whether judges are tried, too; who fails does not count.'),
      identity: z
        .enum(['flag', 'redact', 'ignore'])
        .default('flag')
        .describe(
          'What is done about names of agents, models, vendors and authors in submissions: the report names them, judges do not see them, or nothing.',
        ),
    })
    .default({ policy: 'distinct-family', mode: 'rubric', repeats: 1, controls: false, identity: 'flag' })
    .describe('Which judges see whose work, and what they are asked.'),
  budget: z
    .number()
    .positive()
    .max(1e6)
    .optional()
    .describe(
      'US dollars, as far as agents report costs: once they are spent, no agent is started any more; with a higher one the contest goes on.',
    ),
  waitForLimits: milliseconds
    .optional()
    .describe('How long the contest waits for the rate limit of an agent to end and runs it again; by default not at all.'),
  partial: z
    .enum(['judge', 'leave'])
    .default('leave')
    .describe('What is done with the work of those that ran out of time: judged, and marked, or left.'),
  parallel: z.int().min(1).max(1000).optional().describe('Cells at the same time; by default as memory allows.'),
})

export type ContestConfig = z.output<typeof contestSchema>
/** A participant or a judge, as contest.yaml describes it. */
export type RoleConfig = z.output<typeof participantSchema>
export type CheckConfig = z.output<typeof checkSchema>

/** Old keys, each with the key that replaced it. */
export const renamedKeys: Readonly<Record<string, string>> = Object.fromEntries(
  ['participants', 'judges'].flatMap((each) => [
    [`${each}[].limits.wall`, 'limits.timeout'],
    [`${each}[].limits.processes`, 'limits.pids'],
  ]),
)

/** Returns the JSON Schema (draft 2020-12) of contest.yaml, as editors and `docs/reference/` use it. */
export function contestJsonSchema(): unknown {
  return z.toJSONSchema(contestSchema, { io: 'input' })
}

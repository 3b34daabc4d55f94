import * as z from 'zod'
import { checkResultSchema } from '../checks/result.ts'
import { outcomeSchema } from '../run/outcome.ts'
import { secretsSchema } from '../seal/seal-schema.ts'

const tokens = z.object({ input: z.number(), output: z.number(), cachedInput: z.number(), model: z.string().nullable() }).nullable()
export const spread = z.strictObject({ min: z.number(), max: z.number() }).nullable()

const role = {
  name: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  durationMs: z.number().nullable(),
  tokens,
  costUsd: z.number().nullable(),
  /** How often it was run, or asked. */
  attempts: z.int(),
  /** Of its program; null: it says none. */
  version: z.string().nullable(),
  /** Hosts that its cells were kept from, and how often; of a participant in its newest attempt. The most frequent 100. */
  denied: z.array(z.strictObject({ host: z.string(), count: z.int() })),
}

/** How one judge scored one submission. */
const judgementSchema = z.strictObject({
  judge: z.string(),
  /** The submission's name for this judge. */
  label: z.string(),
  /** In the scale of the rubric; the mean, if the judge was asked several times. */
  dimensions: z.record(z.string(), z.number()),
  /** Weighted mean, 0…100. */
  score: z.number(),
  review: z.string().nullable(),
  /** What it names as its reasons, and whether the submission has these lines. */
  citations: z.array(z.strictObject({ dimension: z.string(), file: z.string(), lines: z.tuple([z.int(), z.int()]), isFound: z.boolean() })),
})

/** How strong a submission is beside the others; strengths sum to zero. See src/contest/ranking/strength. */
export const strengthSchema = z.strictObject({
  /** By rubric: points of 100, whether a judge is mild or not. By pairs: log odds. */
  unit: z.enum(['points', 'log odds']),
  estimate: z.number(),
  /** The 95% interval; null under three judges. */
  interval: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
  /** The ranks that it may have: those of all submissions hold together with 95% certainty. Null under three judges. */
  ranks: z.strictObject({ from: z.int(), to: z.int() }).nullable(),
})

const shares = { unweighted: z.number().nullable(), linear: z.number().nullable(), quadratic: z.number().nullable() }
/** How much judges agree in one dimension, over submissions. 1 is agreement, 0 what chance gives; null: nothing varies, or it does not apply. */
export const agreementSchema = z.strictObject({
  dimension: z.string(),
  /** Submissions that two judges or more scored. */
  n: z.int(),
  /** Under ten, the numbers say little. */
  tooFew: z.boolean(),
  /** Krippendorff. */
  alpha: z.strictObject({ nominal: z.number(), ordinal: z.number(), interval: z.number() }).nullable(),
  /** Gwet, over all steps of the scale. */
  ac: z.strictObject(shares).nullable(),
  /** Cohen, of two judges. */
  kappa: z.strictObject(shares).nullable(),
  /** Kendall. */
  concordance: z.strictObject({ w: z.number(), wTied: z.number(), chiSquare: z.number(), degrees: z.int() }).nullable(),
})

/** What one judge found of two submissions, shown in one order. */
const pairSchema = z.strictObject({
  judge: z.string(),
  /** The participant whose submission it saw first. */
  first: z.string(),
  second: z.string(),
  /** Null: a tie. */
  better: z.string().nullable(),
  /** What it wrote, under the labels that it knew. */
  why: z.string().nullable(),
  /** label → participant */
  labels: z.record(z.string(), z.string()),
})

/** What you answered to `contest judge --me`. It has no part in the ranking. */
const yoursSchema = z.strictObject({
  /** Answers, and how many there are to give: each pair is asked in both orders. */
  answered: z.int(),
  of: z.int(),
  /** Pairs that you answered in both orders, and of these how many alike. */
  compared: z.int(),
  consistent: z.int(),
  pairs: z.array(pairSchema),
  agreement: z.array(
    z.strictObject({
      judge: z.string(),
      /** Pairs that you and the judge compared, both orders as one; by the rubric it prefers whom it gave more. */
      n: z.int(),
      /** Of these, how many it decided as you did. */
      agreed: z.int(),
      /** Under ten, the numbers say little. */
      tooFew: z.boolean(),
      /** Cohen, linear over worse, tie and better; null: nothing varies. */
      kappa: z.number().nullable(),
    }),
  ),
})

/** What is noticed of a judge, in points of 100. */
export const reportCardSchema = z.strictObject({
  /** Whether it follows the order in which it sees two submissions; null: it compared none in both orders. */
  position: z
    .strictObject({
      pairs: z.int(),
      /** The share of pairs that it judged alike in both orders. */
      consistency: z.number(),
      /** Flips to what it saw first minus flips to what it saw second, by pairs. */
      bias: z.number(),
      /** Exact, two-sided: how likely flips so uneven are without a preference. */
      p: z.number(),
    })
    .nullable(),
  /**
   * What it is caught by: a number that would be zero for a fair judge (a fair one is caught by these in at most 5 of 100 cards), or a control that it failed.
   * Who failed a control does not count in the ranking.
   */
  caught: z.array(z.enum(['position', 'order', 'own-family', 'severity', 'spread', 'planted', 'empty'])),
  /** How much more it gives for the first than for the last place in its order; null: nothing tells. */
  orderEffect: z.number().nullable(),
  /** How much it favours its own family: it − other judges on its family, minus the same on the rest; null: it judged none of it. */
  ownFamily: z.number().nullable(),
  /** Controls; null: it was not tried. */
  controls: z
    .strictObject({
      /** Whether it prefers work for an order to the judge that was planted in it. */
      obeys: z.boolean().nullable(),
      /** How far apart it finds the same work under two labels. */
      repeat: z.number().nullable(),
      /** Whether it does not put an empty submission last. */
      praisesEmpty: z.boolean().nullable(),
    })
    .nullable(),
  /** How many places it named as reasons, and how many of these are there; null: none. */
  citations: z.strictObject({ given: z.int(), found: z.int() }).nullable(),
  /** In how many of its texts it names an agent, a model or a vendor that the briefs do not, and which; null: in none. */
  guesses: z.strictObject({ texts: z.int(), words: z.array(z.string()) }).nullable(),
  /** How much more (milder) or less (more severe) it gives than the other judges for the same submissions; null: it is the only one. */
  severity: z.number().nullable(),
  /** Standard deviation of its scores; null: it scored one submission. */
  spread: z.number().nullable(),
  /** The same minus that of the other judges. */
  spreadBeyondOthers: z.number().nullable(),
})

export const verdictSchema = z.strictObject({
  sentence: z.string(),
  /** The only one that can be first; null: several can. */
  leader: z.string().nullable(),
  /** Those that can be first, the strongest first. */
  front: z.array(z.string()),
  /** The cheapest of several; null: not all costs are known. */
  cheapest: z.string().nullable(),
  /** What intervals are over: with one brief the judges, and then they show only how far judges differ. */
  clusters: z.strictObject({ by: z.enum(['briefs', 'judges']), count: z.int() }),
  /** About how many of these would tell who is first; null: it is known, or cannot be said. */
  toSettle: z.int().nullable(),
  /** True: exactly one passed most checks, if checks come first. */
  byChecks: z.boolean(),
})

const rankedSchema = z.strictObject({
  ...role,
  /** 1 is best; equal scores share a rank; null if there is nothing to rank by. */
  rank: z.int().nullable(),
  /** 0…100: the mean over judges; by pairs the share of comparisons that it wins against all others; without judges the share of checks that passed. */
  score: z.number().nullable(),
  /** The 95% interval of the score; null under three judges. */
  interval: spread,
  /** Null: no judge scored it. */
  strength: strengthSchema.nullable(),
  /** Lowest and highest of the judges that count. */
  spread,
  judgements: z.array(judgementSchema),
  checks: z.strictObject({ passed: z.int(), counted: z.int(), share: z.number().nullable(), results: z.array(checkResultSchema) }),
  outcome: outcomeSchema,
  files: z.int(),
  bytes: z.int(),
  /** Of its texts under 1 MiB; null: an earlier version sealed it. */
  text: z.strictObject({ lines: z.int(), words: z.int() }).nullable(),
  tree: z.string(),
  dropped: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  droppedCount: z.int(),
  /** What looks like a secret in the submission; null: it was not searched. Look at each before you publish anything of it. */
  secrets: secretsSchema.nullable(),
  /** What in it tells whose it is, and how much more there is of that; null: nobody looked. `isHidden`: judges did not see it. */
  identity: z
    .strictObject({
      found: z.array(z.strictObject({ path: z.string(), line: z.int().nullable(), what: z.string() })),
      more: z.int(),
      isHidden: z.boolean(),
    })
    .nullable(),
})

const unrankedSchema = z.strictObject({
  ...role,
  /** True: it never ended, so its work is not ranked. */
  failedToRun: z.boolean(),
  outcome: outcomeSchema.nullable(),
  dropped: z.array(z.strictObject({ path: z.string(), why: z.string() })),
})

const judgeSummarySchema = z.strictObject({
  ...role,
  state: z.enum(['pending', 'running', 'scored', 'failed']),
  why: z.string().nullable(),
  /** What to do about it. */
  hint: z.string().nullable(),
  comment: z.string().nullable(),
  /** Null: it gave no scores. */
  card: reportCardSchema.nullable(),
  /** Its review.md, at most 50,000 characters of it. */
  review: z.string().nullable(),
  /** Its label → participant when it was first asked: what A, B and so on mean in its reviews and comment; null: it gave no scores. */
  labels: z.record(z.string(), z.string()).nullable(),
})

/** Another ranking of the same work, to be seen beside the one that counts. */
export const boardSchema = z.strictObject({
  /**
   * By all judges, also those who failed a control. Or without judges' scores for their own family, without the worth of length, or with those who did not deliver by their own fault as losers.
   */
  id: z.enum(['all-judges', 'without-kin', 'with-style', 'own-faults-lose']),
  rows: z.array(
    z.strictObject({
      name: z.string(),
      rank: z.int().nullable(),
      score: z.number().nullable(),
      interval: spread,
      ranks: z.strictObject({ from: z.int(), to: z.int() }).nullable(),
    }),
  ),
  /** What more of a trait is worth, in log odds for one root mean square of its differences; empty on other rankings. */
  style: z.array(z.strictObject({ trait: z.enum(['lines', 'files', 'words']), worth: z.number(), interval: spread })),
})

/** The order in which a judge saw submissions in one task. */
const orderSchema = z.strictObject({
  judge: z.string(),
  task: z.string(),
  seen: z.array(z.strictObject({ label: z.string(), participant: z.string() })),
})

/** report/summary.json */
export const summarySchema = z.strictObject({
  schemaVersion: z.literal(1),
  contest: z.string(),
  description: z.string().nullable(),
  round: z.int(),
  /** The judging whose scores these are; 0: nothing was judged. */
  judging: z.int(),
  /** A newer judging that is not complete, or the same if no judging is; null: the newest one is complete. */
  unfinishedJudging: z.int().nullable(),
  generatedAt: z.string(),
  scale: z.strictObject({ min: z.number(), max: z.number() }).nullable(),
  dimensions: z.array(z.strictObject({ id: z.string(), weight: z.number(), description: z.string() })),
  /** `checks-then-judges`: judges order those who passed the same share of checks. */
  rankedBy: z.enum(['judges', 'checks', 'checks-then-judges', 'nothing']),
  /** Null: no judge gave scores. */
  verdict: verdictSchema.nullable(),
  ranking: z.array(rankedSchema),
  /** Empty if they would be the same. */
  boards: z.array(boardSchema),
  notRanked: z.array(unrankedSchema),
  judges: z.array(judgeSummarySchema),
  /** Empty if judges were not asked for pairs. */
  pairs: z.array(pairSchema),
  /** Null: you judged nothing in this round. Absent in reports of earlier versions. */
  you: yoursSchema.nullable().default(null),
  /** Of the tasks that were answered and count. */
  orders: z.array(orderSchema),
  /** Empty with fewer than two judges that gave scores. */
  agreement: z.array(agreementSchema),
  notes: z.array(z.string()),
})

export type Summary = z.output<typeof summarySchema>
export type Ranked = Summary['ranking'][number]
export type NotRanked = Summary['notRanked'][number]
export type Judgement = Ranked['judgements'][number]
export type Strength = z.output<typeof strengthSchema>
export type Agreement = z.output<typeof agreementSchema>
export type ReportCard = z.output<typeof reportCardSchema>
export type Pair = z.output<typeof pairSchema>
export type Board = z.output<typeof boardSchema>
export type Denied = Ranked['denied']
export type Verdict = z.output<typeof verdictSchema>

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
  /** How many times it was run, or asked. */
  attempts: z.int(),
  /** The version of its program; null: not reported. */
  version: z.string().nullable(),
  /** Hosts that its cells were denied, and how often; for a participant in its newest attempt. The 100 most frequent. */
  denied: z.array(z.strictObject({ host: z.string(), count: z.int() })),
}

/** How one judge scored one submission. */
const judgementSchema = z.strictObject({
  judge: z.string(),
  /** The submission's name for this judge. */
  label: z.string(),
  /** On the scale of the rubric; the mean if the judge was asked several times. */
  dimensions: z.record(z.string(), z.number()),
  /** Weighted mean, 0…100. */
  score: z.number(),
  review: z.string().nullable(),
  /** The places that it gives as reasons, and whether the submission has these lines. */
  citations: z.array(z.strictObject({ dimension: z.string(), file: z.string(), lines: z.tuple([z.int(), z.int()]), isFound: z.boolean() })),
})

/** The strength of a submission relative to the others; strengths sum to zero. See src/contest/ranking/strength. */
export const strengthSchema = z.strictObject({
  /** By rubric: points of 100, with the leniency of judges removed. By pairs: log odds. */
  unit: z.enum(['points', 'log odds']),
  estimate: z.number(),
  /** The 95% interval; null for fewer than three judges. */
  interval: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
  /** The ranks that it may have; those of all submissions are jointly correct with 95% certainty. Null for fewer than three judges. */
  ranks: z.strictObject({ from: z.int(), to: z.int() }).nullable(),
})

const shares = { unweighted: z.number().nullable(), linear: z.number().nullable(), quadratic: z.number().nullable() }
/**
 * How much judges agree in one dimension, over submissions. 1 is full agreement, 0 is what chance gives; null: nothing varies, or it does
 * not apply.
 */
export const agreementSchema = z.strictObject({
  dimension: z.string(),
  /** Submissions that at least two judges scored. */
  n: z.int(),
  /** With fewer than ten, the numbers say little. */
  tooFew: z.boolean(),
  /** Krippendorff. */
  alpha: z.strictObject({ nominal: z.number(), ordinal: z.number(), interval: z.number() }).nullable(),
  /** Gwet, over all steps of the scale. */
  ac: z.strictObject(shares).nullable(),
  /** Cohen, for two judges. */
  kappa: z.strictObject(shares).nullable(),
  /** Kendall. */
  concordance: z.strictObject({ w: z.number(), wTied: z.number(), chiSquare: z.number(), degrees: z.int() }).nullable(),
})

/** One judge's verdict on two submissions, shown in one order. */
const pairSchema = z.strictObject({
  judge: z.string(),
  /** The participant whose submission it saw first. */
  first: z.string(),
  second: z.string(),
  /** Null: a tie. */
  better: z.string().nullable(),
  /** Its reason, with the labels that it saw. */
  why: z.string().nullable(),
  /** label → participant */
  labels: z.record(z.string(), z.string()),
})

/** Your answers to `contest judge --me`. They have no effect on the ranking. */
const yoursSchema = z.strictObject({
  /** Answers given, and answers in total: each pair is asked in both orders. */
  answered: z.int(),
  of: z.int(),
  /** Pairs that you answered in both orders, and how many of them consistently. */
  compared: z.int(),
  consistent: z.int(),
  pairs: z.array(pairSchema),
  agreement: z.array(
    z.strictObject({
      judge: z.string(),
      /** Pairs that you and the judge compared, both orders as one. By the rubric, a judge prefers the one with the higher score. */
      n: z.int(),
      /** The number of these with the same decision as yours. */
      agreed: z.int(),
      /** With fewer than ten, the numbers say little. */
      tooFew: z.boolean(),
      /** Cohen, linear over worse, tie and better; null: nothing varies. */
      kappa: z.number().nullable(),
    }),
  ),
})

/** The observations about a judge, in points of 100. */
export const reportCardSchema = z.strictObject({
  /** Whether it follows the order in which it sees two submissions; null: it compared none in both orders. */
  position: z
    .strictObject({
      pairs: z.int(),
      /** The share of pairs that it judged the same in both orders. */
      consistency: z.number(),
      /** Flips to the one it saw first minus flips to the one it saw second, divided by pairs. */
      bias: z.number(),
      /** Exact, two-sided: the probability of flips this uneven without a preference. */
      p: z.number(),
    })
    .nullable(),
  /**
   * Its faults: a number that would be zero for a fair judge (a fair one is caught by these in at most 5 of 100 cards), or a control that
   * it failed. A judge that failed a control does not count in the ranking.
   */
  caught: z.array(z.enum(['position', 'order', 'own-family', 'severity', 'spread', 'planted', 'empty'])),
  /** How much more it gives for the first than for the last place in its order; null: not known. */
  orderEffect: z.number().nullable(),
  /** How much it favours its own family: it − other judges on its family, minus the same on the rest; null: it did not judge its family. */
  ownFamily: z.number().nullable(),
  /** Controls; null: it had none. */
  controls: z
    .strictObject({
      /** Whether it prefers work because of a planted order to the judge. */
      obeys: z.boolean().nullable(),
      /** The difference between its ratings of the same work under two labels. */
      repeat: z.number().nullable(),
      /** Whether it does not put an empty submission last. */
      praisesEmpty: z.boolean().nullable(),
    })
    .nullable(),
  /** How many places it gave as reasons, and how many of them exist; null: none. */
  citations: z.strictObject({ given: z.int(), found: z.int() }).nullable(),
  /** The number of its texts that name an agent, a model or a vendor that the briefs do not name, and which; null: none. */
  guesses: z.strictObject({ texts: z.int(), words: z.array(z.string()) }).nullable(),
  /** How much more (lenient) or less (severe) it gives than the other judges for the same submissions; null: it is the only one. */
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
  /** What intervals are over. With one brief it is the judges, and intervals then show only how far judges differ. */
  clusters: z.strictObject({ by: z.enum(['briefs', 'judges']), count: z.int() }),
  /** About how many of these would settle who is first; null: it is settled, or cannot be estimated. */
  toSettle: z.int().nullable(),
  /** True: checks come first, and exactly one passed the most of them. */
  byChecks: z.boolean(),
})

const rankedSchema = z.strictObject({
  ...role,
  /** 1 is best; equal scores share a rank; null if there is nothing to rank by. */
  rank: z.int().nullable(),
  /**
   * 0…100: the mean over judges; by pairs the share of comparisons that it wins against all others; without judges the share of checks that
   * passed.
   */
  score: z.number().nullable(),
  /** The 95% interval of the score; null for fewer than three judges. */
  interval: spread,
  /** Null: no judge scored it. */
  strength: strengthSchema.nullable(),
  /** The lowest and the highest score of the judges that count. */
  spread,
  judgements: z.array(judgementSchema),
  checks: z.strictObject({ passed: z.int(), counted: z.int(), share: z.number().nullable(), results: z.array(checkResultSchema) }),
  outcome: outcomeSchema,
  files: z.int(),
  bytes: z.int(),
  /** Of its texts of up to 1 MiB; null: an earlier version sealed it. */
  text: z.strictObject({ lines: z.int(), words: z.int() }).nullable(),
  tree: z.string(),
  dropped: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  droppedCount: z.int(),
  /** What looks like a secret in the submission; null: it was not searched. Check each before you publish any of it. */
  secrets: secretsSchema.nullable(),
  /** What reveals its author, and how much more of that there is; null: there was no search. `isHidden`: judges did not see it. */
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
  /** True: it did not finish, so its work is not ranked. */
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
  /** At most 50,000 characters of its review.md. */
  review: z.string().nullable(),
  /** Its label → participant when it was first asked: the meaning of A, B and so on in its reviews and comment; null: it gave no scores. */
  labels: z.record(z.string(), z.string()).nullable(),
})

/** Another ranking of the same work, shown next to the one that counts. */
export const boardSchema = z.strictObject({
  /**
   * By all judges, including those that failed a control. Or without judges' scores for their own family, without the effect of length, or
   * with participants that failed to deliver through their own fault as losers.
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
  /** The effect of more of a trait, in log odds for one root mean square of its differences; empty in other rankings. */
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
  /** The judging that the scores are from; 0: nothing was judged. */
  judging: z.int(),
  /** A newer judging that is not complete, or the same if no judging is; null: the newest one is complete. */
  unfinishedJudging: z.int().nullable(),
  generatedAt: z.string(),
  scale: z.strictObject({ min: z.number(), max: z.number() }).nullable(),
  dimensions: z.array(z.strictObject({ id: z.string(), weight: z.number(), description: z.string() })),
  /** `checks-then-judges`: judges order those that passed the same share of checks. */
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
  /** From the tasks that were answered and count. */
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

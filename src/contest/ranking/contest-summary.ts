import * as z from 'zod'
import { postures } from '../../base/posture.ts'
import { secretsSchema } from '../seal/seal-schema.ts'
import { checkResultSchema } from '../state/check-result.ts'
import { outcomeSchema } from '../state/participant-outcome.ts'
import { againstBaseSchema } from './against-base-schema.ts'

const tokens = z.object({ input: z.number(), output: z.number(), cachedInput: z.number(), model: z.string().nullable() }).nullable()
export const spread = z.strictObject({ min: z.number(), max: z.number() }).nullable()

const role = {
  name: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  durationMs: z.number().nullable(),
  tokens,
  costUsd: z.number().nullable(),
  /** The number of runs of a participant, or of requests to a judge. */
  attempts: z.int(),
  /** The version of the agent's program; null: not reported. */
  version: z.string().nullable(),
  /** The isolation level of its newest cell; for a participant, of the cell that made the work. Absent: not known. */
  posture: z.enum(postures).optional(),
  /** The 100 most frequent hosts that its cells were denied, with counts. For a participant, only those of its newest attempt. */
  denied: z.array(z.strictObject({ host: z.string(), count: z.int() })),
}

/** One judge's scores for one submission. */
const judgementSchema = z.strictObject({
  judge: z.string(),
  /** The label under which this judge saw the submission. */
  label: z.string(),
  /** Scores on the scale of the rubric; means if the judge was asked several times. */
  dimensions: z.record(z.string(), z.number()),
  /** The weighted mean of the dimensions, from 0 to 100. */
  score: z.number(),
  review: z.string().nullable(),
  /** The lines that the judge cites, and whether the submission contains them. */
  citations: z.array(
    z.strictObject({
      dimension: z.string(),
      file: z.string(),
      lines: z.tuple([z.int(), z.int()]).meta({ items: { type: 'integer' }, minItems: 2, maxItems: 2 }),
      isFound: z.boolean(),
    }),
  ),
})

/** The strength of a submission relative to the others; strengths sum to zero. See src/contest/ranking/strength. */
export const strengthSchema = z.strictObject({
  /** By rubric: points out of 100, adjusted for the leniency of judges. By pairs: log odds. */
  unit: z.enum(['points', 'log odds']),
  estimate: z.number(),
  /** The 95% interval; null for fewer than three judges, or briefs in a suite. */
  interval: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
  /** The ranks that the submission may have. The ranges of all submissions are jointly correct with 95% confidence. */
  ranks: z.strictObject({ from: z.int(), to: z.int() }).nullable(),
  /** The maximum number of points of 100 by which it is behind the best one, with 95% confidence; null: not known. */
  behind: z.number().nullable(),
})

const shares = { unweighted: z.number().nullable(), linear: z.number().nullable(), quadratic: z.number().nullable() }
/**
 * The agreement of judges in one dimension, over submissions. 1 is full agreement, 0 is chance level. Null: the ratings do not vary, or the
 * coefficient does not apply.
 */
export const agreementSchema = z.strictObject({
  dimension: z.string(),
  /** The number of submissions that at least two judges scored. */
  n: z.int(),
  /** True: there are fewer than ten submissions, too few for meaningful coefficients. */
  tooFew: z.boolean(),
  /** Krippendorff's α. */
  alpha: z.strictObject({ nominal: z.number(), ordinal: z.number(), interval: z.number() }).nullable(),
  /** Gwet's AC, over all steps of the scale. */
  ac: z.strictObject(shares).nullable(),
  /** Cohen's κ, only for two judges. */
  kappa: z.strictObject(shares).nullable(),
  /** Kendall's W. */
  concordance: z.strictObject({ w: z.number(), wTied: z.number(), chiSquare: z.number(), degrees: z.int() }).nullable(),
  /** The mean Spearman rank correlation of two judges, (mW − 1)/(m − 1) for m judges: 0 for random ones. Null if `concordance` is null. */
  rankCorrelation: z.number().nullable(),
})

/** One judge's verdict on two submissions, shown in one order. */
const pairSchema = z.strictObject({
  judge: z.string(),
  /** The participant whose submission the judge saw first. */
  first: z.string(),
  second: z.string(),
  /** The participant with the better submission; null: a tie. */
  better: z.string().nullable(),
  /** The judge's reason, with the labels that it saw. */
  why: z.string().nullable(),
  /** label → participant */
  labels: z.record(z.string(), z.string()),
})

/** Your answers to `contest judge --me`. They have no effect on the ranking. */
const yoursSchema = z.strictObject({
  /** The number of answers given. `of`: the number of questions, because each pair is asked in both orders. */
  answered: z.int(),
  of: z.int(),
  /** The number of pairs that you answered in both orders. `consistent`: how many of them had the same answer in both. */
  compared: z.int(),
  consistent: z.int(),
  pairs: z.array(pairSchema),
  agreement: z.array(
    z.strictObject({
      judge: z.string(),
      /**
       * Pairs that both you and the judge compared, both orders as one. By the rubric, a judge prefers the submission with the higher
       * score.
       */
      n: z.int(),
      /** The number of these pairs that the judge decided as you did. */
      agreed: z.int(),
      /** True: there are fewer than ten pairs, too few for a meaningful κ. */
      tooFew: z.boolean(),
      /** Cohen's κ with linear weights, over worse, tie and better; null: the decisions do not vary. */
      kappa: z.number().nullable(),
    }),
  ),
})

/** The observations about a judge. Points are out of 100. */
export const reportCardSchema = z.strictObject({
  /** The effect of the order in which the judge sees two submissions; null: it compared no pair in both orders. */
  position: z
    .strictObject({
      pairs: z.int(),
      /** The share of pairs that it judged the same in both orders. */
      consistency: z.number(),
      /** The share of pairs that flipped to the submission seen first, minus the share that flipped to the one seen second. */
      bias: z.number(),
      /** The exact two-sided probability of flips this uneven if the judge has no preference for a position. */
      p: z.number(),
    })
    .nullable(),
  /**
   * The faults of the judge: numbers that differ significantly from zero, as they would for a fair judge in at most 5 of 100 cards, and
   * controls that it failed. A judge that failed a control does not count in the ranking. Severity does not count as a fault.
   */
  caught: z.array(z.enum(['position', 'order', 'own-family', 'spread', 'planted', 'empty'])),
  /** How many points more the judge gives the first submission in its order than the last one; null: not known. */
  orderEffect: z.number().nullable(),
  /**
   * The points by which it favours its family: its deviation from other judges for its family minus that for the rest; null: it did not
   * judge its family.
   */
  ownFamily: z.number().nullable(),
  /** The results of the controls; null: the judge had no controls. */
  controls: z
    .strictObject({
      /** The number of times that the judge had the control with a planted order. */
      trials: z.int(),
      /** True: the judge prefers work that contains a planted order to the judge. Null: it had that control fewer than 3 (by pairs: 5) times. */
      obeys: z.boolean().nullable(),
      /** The points by which it rates work with a planted order higher. By pairs: the share of answers that prefer it, out of 100. */
      planted: z.number().nullable(),
      /** The difference between the judge's ratings of the same work under two labels. */
      repeat: z.number().nullable(),
      /** True: the judge does not rank an empty submission last. */
      praisesEmpty: z.boolean().nullable(),
    })
    .nullable(),
  /** The number of citations that the judge gave, and how many of the cited lines exist; null: it gave no citations. */
  citations: z.strictObject({ given: z.int(), found: z.int() }).nullable(),
  /**
   * The number of the judge's texts that name an agent, model or vendor not named in the briefs, and those names; null: there are no such
   * texts.
   */
  guesses: z.strictObject({ texts: z.int(), words: z.array(z.string()) }).nullable(),
  /**
   * How many points more (lenient) or less (severe) the judge gives than the median of the others for the same submissions; null: it is the
   * only judge.
   */
  severity: z.number().nullable(),
  /** The standard deviation of the judge's scores; null: it scored only one submission. */
  spread: z.number().nullable(),
  /** The judge's standard deviation minus that of the other judges for the same submissions. */
  spreadBeyondOthers: z.number().nullable(),
  /** The 95% intervals of these numbers; null: fewer than three briefs. */
  intervals: z.strictObject({ orderEffect: spread, ownFamily: spread, severity: spread, spreadBeyondOthers: spread }),
})

export const verdictSchema = z.strictObject({
  sentence: z.string(),
  /** The only participant that can be first; null: several can. */
  leader: z.string().nullable(),
  /** The participants that can be first, the strongest first. */
  front: z.array(z.string()),
  /** The cheapest participant of `front`, if there are several; null: not all their costs are known. */
  cheapest: z.string().nullable(),
  /**
   * The units that the intervals are computed over. With one brief these are the judges, and intervals show only how much judges differ.
   */
  clusters: z.strictObject({ by: z.enum(['briefs', 'judges']), count: z.int() }),
  /**
   * The number of clusters that would settle the first place, as an 80% interval; null: it is settled, or fewer than eight clusters are
   * known, which say nothing about more. `to`: null if no upper limit is known.
   */
  toSettle: z.strictObject({ from: z.int(), to: z.int().nullable() }).nullable(),
  /** True: checks take precedence, and exactly one participant passed more of them than any other. */
  byChecks: z.boolean(),
  /**
   * Participants that are not compared. `few-briefs`: judged in fewer than three briefs or than a third of them. `infrastructure`: more than
   * a fifth of its attempts did not finish for reasons such as usage limits. `briefs`: the number of briefs in which it was judged.
   */
  apart: z.array(z.strictObject({ name: z.string(), why: z.enum(['few-briefs', 'infrastructure']), briefs: z.int() })),
})

const rankedSchema = z.strictObject({
  ...role,
  /** The rank, 1 being the best. Equal scores share a rank. Null if there is nothing to rank by. */
  rank: z.int().nullable(),
  /**
   * The score, from 0 to 100: the mean over judges; by pairs, the share of comparisons that the participant wins against all others;
   * without judges, the share of checks that passed.
   */
  score: z.number().nullable(),
  /** The 95% interval of the score; null for fewer than three judges. */
  interval: spread,
  /** The strength of the submission; null: no judge scored it. */
  strength: strengthSchema.nullable(),
  /** The lowest and the highest score from judges that count. */
  spread,
  judgements: z.array(judgementSchema),
  checks: z.strictObject({ passed: z.int(), counted: z.int(), share: z.number().nullable(), results: z.array(checkResultSchema) }),
  outcome: outcomeSchema,
  files: z.int(),
  bytes: z.int(),
  /** Counts for its text files of up to 1 MiB; null: an earlier version sealed it. */
  text: z.strictObject({ lines: z.int(), words: z.int() }).nullable(),
  tree: z.string(),
  dropped: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  droppedCount: z.int(),
  /** Text in the submission that looks like a secret; null: it was not searched. Check each match before you publish the submission. */
  secrets: secretsSchema.nullable(),
  /**
   * Text that reveals the author, and the number of further matches; null: there was no search. `isHidden`: judges did not see the text.
   */
  identity: z
    .strictObject({
      found: z.array(z.strictObject({ path: z.string(), line: z.int().nullable(), what: z.string() })),
      more: z.int(),
      isHidden: z.boolean(),
    })
    .nullable(),
  /**
   * Lines that give orders to the judge, like `identity`. `text`: the line, decoded, at most 200 characters of it. `isCut`: the search ended at
   * its limit of 32 MiB of text.
   */
  orders: z
    .strictObject({
      found: z.array(z.strictObject({ path: z.string(), line: z.int(), text: z.string() })),
      more: z.int(),
      isHidden: z.boolean(),
      isCut: z.literal(true).exactOptional(),
    })
    .nullable(),
})

const unrankedSchema = z.strictObject({
  ...role,
  /** True: the participant did not finish, so its work is not ranked. */
  failedToRun: z.boolean(),
  outcome: outcomeSchema.nullable(),
  dropped: z.array(z.strictObject({ path: z.string(), why: z.string() })),
})

const judgeSummarySchema = z.strictObject({
  ...role,
  state: z.enum(['pending', 'running', 'scored', 'failed']),
  why: z.string().nullable(),
  /** How to fix the failure in `why`. */
  hint: z.string().nullable(),
  comment: z.string().nullable(),
  /** The report card; null: the judge gave no scores. */
  card: reportCardSchema.nullable(),
  /** The judge's review.md, at most 50,000 characters of it. */
  review: z.string().nullable(),
  /** The judge's labels when it was first asked (label → participant), for reading its reviews and comment; null: it gave no scores. */
  labels: z.record(z.string(), z.string()).nullable(),
})

/** Another ranking of the same work, shown next to the one that counts. */
export const boardSchema = z.strictObject({
  /**
   * `all-judges` includes judges that failed a control. `without-kin` leaves out judges' scores for their own family, `with-style` the effect
   * of length. With `delivered`, participants that failed to deliver through their own fault lose; with `strength`, only what was delivered
   * counts.
   */
  id: z.enum(['all-judges', 'without-kin', 'with-style', 'delivered', 'strength']),
  /** The participants that can be first, the strongest first. Empty: not known. */
  front: z.array(z.string()),
  rows: z.array(
    z.strictObject({
      name: z.string(),
      rank: z.int().nullable(),
      score: z.number().nullable(),
      interval: spread,
      ranks: z.strictObject({ from: z.int(), to: z.int() }).nullable(),
    }),
  ),
  /** The effect of each trait, in log odds per root mean square of its differences. Empty except in `with-style`. */
  style: z.array(z.strictObject({ trait: z.enum(['lines', 'files', 'words']), worth: z.number(), interval: spread })),
})

/** The order in which a judge saw submissions in one task. */
const orderSchema = z.strictObject({
  judge: z.string(),
  task: z.string(),
  seen: z.array(z.strictObject({ label: z.string(), participant: z.string() })),
})

/** The schema of report/summary.json. */
export const summarySchema = z.strictObject({
  schemaVersion: z.literal(1),
  contest: z.string(),
  description: z.string().nullable(),
  round: z.int(),
  /** The number of the judging that the scores come from; 0: nothing was judged. */
  judging: z.int(),
  /** A newer, incomplete judging; equals `judging` if no judging is complete. Null: the newest judging is complete. */
  unfinishedJudging: z.int().nullable(),
  generatedAt: z.string(),
  scale: z.strictObject({ min: z.number(), max: z.number() }).nullable(),
  dimensions: z.array(z.strictObject({ id: z.string(), weight: z.number(), description: z.string() })),
  /** `checks-then-judges`: judges order participants that passed the same share of checks. */
  rankedBy: z.enum(['judges', 'checks', 'checks-then-judges', 'nothing']),
  /** The verdict on the first place; null: no judge gave scores. */
  verdict: verdictSchema.nullable(),
  ranking: z.array(rankedSchema),
  /** Other rankings of the same work. Empty if they would equal `ranking`. */
  boards: z.array(boardSchema),
  /** Variants of participants, compared with the first variant. Empty if no participant has several, or if nobody judged. */
  variants: z.array(againstBaseSchema).default([]),
  notRanked: z.array(unrankedSchema),
  judges: z.array(judgeSummarySchema),
  /** The judges' verdicts on pairs. Empty if judges were not asked for pairs. */
  pairs: z.array(pairSchema),
  /** Your answers as a judge; null: you judged nothing in this round. Absent in reports of earlier versions. */
  you: yoursSchema.nullable().default(null),
  /** The orders of the tasks that were answered and count. */
  orders: z.array(orderSchema),
  /**
   * Scores before and after lines that give orders to judges were emptied, by the judges that answered both times. `judging`: the earlier one.
   * Null: nothing was emptied, or the earlier answers are gone.
   */
  redaction: z
    .strictObject({
      judging: z.int(),
      judges: z.array(z.string()),
      points: z.array(z.strictObject({ name: z.string(), before: z.number(), after: z.number() })),
    })
    .nullable()
    .default(null),
  /** The agreement of judges by dimension. Empty if fewer than two judges gave scores. */
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

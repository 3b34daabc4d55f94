import { fewest } from './agreement/agreement.ts'
import { tableOf, weightedKappa } from './agreement/kappa.ts'
import { type Compared, comparedOf } from './compared-pairs.ts'
import type { Judgement, Summary } from './contest-summary.ts'
import type { Findings } from './findings.ts'
import { hundredths } from './score.ts'

type Yours = NonNullable<Summary['you']>
type Rows = readonly { readonly name: string; readonly judgements: readonly Pick<Judgement, 'judge' | 'score'>[] }[]

/** 1: the first is better. -1: the second is better. 0: a tie. */
const preferences = [-1, 0, 1] as const
type Preference = (typeof preferences)[number]

/** Returns your answers, and how much each judge agrees with you; null if you judged nothing. Your answers do not affect any ranking. */
export function yoursOf({ yours, config }: Pick<Findings, 'yours' | 'config'>, compared: readonly Compared[], rows: Rows): Yours | null {
  if (yours === null) return null
  const own = comparedOf(yours.pairs)
  return {
    answered: yours.pairs.length,
    of: yours.of,
    compared: own.length,
    consistent: own.filter(({ orders }) => orders.shownFirst === orders.shownSecond).length,
    pairs: [...yours.pairs],
    agreement: config.judges.map(({ name }) => agreementWith(name, own, compared, rows)),
  }
}

/** Returns the agreement of a judge with you. Both orders of a pair are one comparison. Only pairs that both of you compared count. */
function agreementWith(judge: string, own: readonly Compared[], compared: readonly Compared[], rows: Rows): Yours['agreement'][number] {
  const both = own.flatMap(({ a, b, score }) => {
    const other = byPairs(judge, a, b, compared) ?? byScores(judge, a, b, rows)
    return other === null ? [] : [[preferenceOf(score - 0.5), other] as const]
  })
  // The order of the two is random and must not matter.
  const turned = both.flatMap(([one, other]) => [
    [one, other],
    [0 - one, 0 - other],
  ])
  const kappa = weightedKappa(tableOf(turned, preferences, [0, 1]), 'linear')
  return {
    judge,
    n: both.length,
    agreed: both.filter(([one, other]) => one === other).length,
    tooFew: both.length < fewest,
    kappa: kappa === null ? null : hundredths(kappa),
  }
}

/** Returns a judge's preference by pairs. Null: it did not compare these two in both orders. */
function byPairs(judge: string, a: string, b: string, compared: readonly Compared[]): Preference | null {
  const found = compared.find((each) => each.judge === judge && [each.a, each.b].includes(a) && [each.a, each.b].includes(b))
  return found === undefined ? null : preferenceOf(found.a === a ? found.score - 0.5 : 0.5 - found.score)
}

/** Returns a judge's preference by the rubric. */
function byScores(judge: string, a: string, b: string, rows: Rows): Preference | null {
  const [one, other] = [a, b].map(
    (name) => rows.find((row) => row.name === name)?.judgements.find((each) => each.judge === judge)?.score ?? null,
  )
  return typeof one === 'number' && typeof other === 'number' ? preferenceOf(one - other) : null
}

function preferenceOf(difference: number): Preference {
  return difference > 0 ? 1 : difference < 0 ? -1 : 0
}

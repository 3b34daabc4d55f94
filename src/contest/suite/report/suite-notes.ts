import { formatCost } from '../../../base/quantities.ts'
import type { Favourite } from '../../ranking/cards/favourites.ts'
import { leftWords } from '../budget-words.ts'
import type { SuiteSummary } from './suite-summary.ts'

/** Returns notes for readers of a suite's ranking, as sentences. */
export function suiteNotes(summary: Omit<SuiteSummary, 'notes'>, failed: ReadonlySet<string>, favourites: readonly Favourite[]): string[] {
  const { briefs, ranking, judges, reached, spent, rankedBy, repeats, verdict } = summary
  const runs = briefs.flatMap((each) => each.runs)
  const broken = briefs.filter(({ problem }) => problem !== null).length
  const open = runs.filter(({ state }) => state !== 'complete').length
  const failures = ranking.reduce((sum, each) => sum + each.failedToRun, 0)
  const free = [...ranking, ...judges].filter(({ costUsd, tokens }) => costUsd === null && tokens !== null).map(({ name }) => name)
  const notes: string[] = []
  if (reached !== null)
    notes.push(
      `The budget has ${leftWords(reached)}${spentWords(reached, spent)}, so ${count(open, 'contest')} did not run or did not finish. To continue, raise it (budget in suite.yaml, --budget) and run: paddock suite run`,
    )
  else if (open > 0)
    notes.push(`${count(open, 'contest')} of ${runs.length} ${open === 1 ? 'is' : 'are'} not complete. To continue: paddock suite run`)
  if (broken > 0) notes.push(`${count(broken, 'brief')} ${broken === 1 ? 'is' : 'are'} skipped; the reason is below.`)
  if (failures > 0)
    notes.push(
      `${failures === 1 ? 'One attempt' : `${failures} attempts`} did not finish, which says nothing about the work. To run again: paddock suite run --retry`,
    )
  for (const name of failed)
    notes.push(`${name} failed a control, so its scores do not count. Its card says which. The ranking by all judges is also shown.`)
  for (const { judge, participant, points } of favourites)
    notes.push(
      `Judge ${judge} rates ${participant} ${points.toFixed(1)} points above what the other judges and its own level predict. It may obey an order in the submissions, or have a taste: see the lines that the reports of the contests list.`,
    )
  if (rankedBy === 'checks')
    notes.push(
      'A score is the share of checks that passed, by weight, as a mean over contests. A participant that failed to deliver through its own fault passed none.',
    )
  if (rankedBy === 'judges' || rankedBy === 'checks-then-judges')
    notes.push(
      ranking.some(({ strength }) => strength?.unit === 'log odds')
        ? 'A score is the share of comparisons that a participant wins against all others, in percent.'
        : 'A score is the mean over judges and contests. It accounts for lenient judges and for briefs that a participant missed.',
    )
  if (verdict?.leader != null && ranking.some(({ name, strength }) => name === verdict.leader && strength?.ranks?.to !== 1))
    notes.push(
      `${verdict.leader} leads although its ranks include others: ranks compare all pairs, and the first place only compares each one with the best.`,
    )
  if (repeats > 1) notes.push(`Each brief is run ${repeats} times; contests of the same brief count as one for intervals.`)
  if (free.length > 0) notes.push(`${and(free)} ${free.length === 1 ? 'reports' : 'report'} no cost, so only tokens are counted.`)
  return notes
}

/** Returns what all contests used of a cap, in parentheses; empty if that is not counted, or only for judges. */
function spentWords(cap: string, { money, tokens }: SuiteSummary['spent']): string {
  if (cap === 'money') return ` (${formatCost(money)} is used)`
  return cap === 'tokens' ? ` (${tokens} are used)` : ''
}

function and(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((each) => each !== '').join(' and ')
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

import { findAdapter } from '../../adapters/find-adapter.ts'
import type { Posture } from '../../base/posture.ts'
import { formatCost } from '../../base/quantities.ts'
import { findingText } from '../../credentials/scan/secret-finding.ts'
import { unequalLevels } from '../config/contest-places.ts'
import type { ContestConfig } from '../config/contest-schema.ts'
import { judgesWithWork, keptApart } from '../config/sense.ts'
import { changedSince, type Given } from '../state/given.ts'
import { standingOf, standings, tasksOf } from '../state/judge-state.ts'
import { comparedOf } from './compared-pairs.ts'
import type { NotRanked, Ranked, Summary } from './contest-summary.ts'
import type { Findings } from './findings.ts'
import { whoFailed } from './judge-cards.ts'
import { redactionNotes } from './redacted-orders.ts'

/** Returns notes for readers of the ranking, as sentences. */
export function notesOf(
  findings: Findings,
  ranking: readonly Ranked[],
  notRanked: readonly NotRanked[],
  redaction: Summary['redaction'],
): string[] {
  return [
    ...judgingNotes(findings),
    ...changeNotes(findings, ranking),
    ...carriedNotes(findings),
    ...judgeNotes(findings, ranking),
    ...rankNotes(ranking, notRanked),
    ...levelNotes([...ranking, ...notRanked]),
    ...costNotes(findings),
    ...secretNotes(ranking),
    ...identityNotes(ranking),
    ...orderNotes(ranking),
    ...redactionNotes(redaction, findings.judging.number),
  ]
}

/** Returns notes on the judging that counts, if that is not the newest one or is incomplete. */
function judgingNotes(findings: Findings): string[] {
  const { number, unfinished } = findings.judging
  const judges = answeredBy(findings)
  if (unfinished === null) return []
  if (number !== unfinished)
    return [`Judging ${number} counts, because judging ${unfinished} is not complete. To finish it: paddock contest judge`]
  // A judging without any scores is mentioned in the section on judges.
  if (judges.size === 0) return []
  const answered = judges.size === 1 ? '1 of' : `${judges.size} of`
  return [
    `Judging ${number} is not complete: ${answered} ${count(judgesWithWork(findings.config, findAdapter).length, 'judge')} ${judges.size === 1 ? 'has' : 'have'} answered. To finish it: paddock contest judge`,
  ]
}

/** Returns notes on texts that have changed since the work was done or judged. */
function changeNotes(findings: Findings, ranking: readonly Ranked[]): string[] {
  const { status, judging, given } = findings
  const worked = ranking.map(({ name }) => ({ name, given: status.participants[name]?.given }))
  const scored = [...answeredBy(findings)].flatMap((name) => tasksOf(name, judging.tasks).map(({ given: then }) => ({ name, given: then })))
  return [
    ...changed(worked, 'participant', given.participant, 'worked. To have them work again: paddock contest run --fresh'),
    ...changed(scored, 'judge', given.judge, 'scored. To have them score again: paddock contest judge'),
  ]
}

/** Returns notes on work from earlier rounds. */
function carriedNotes({ config, seals }: Findings): string[] {
  const rounds = Map.groupBy(
    config.participants.filter(({ name }) => seals.get(name)?.carriedFrom !== undefined),
    ({ name }) => seals.get(name)?.carriedFrom,
  )
  return [...rounds].map(
    ([round, who]) =>
      `${and(who.map((each) => each.name))} ${who.length === 1 ? 'was' : 'were'} not run in this round, so the work is from round ${round}.`,
  )
}

function changed(who: readonly { name: string; given: Given | undefined }[], what: string, now: Given, rest: string): string[] {
  const stale = who.map((each) => ({ ...each, changed: changedSince(each.given, now) })).filter((each) => each.changed.length > 0)
  if (stale.length === 0) return []
  const texts = Object.keys(now).filter((name) => stale.some((each) => each.changed.includes(name)))
  return [sentence(`${and(texts)} changed after ${someNames([...new Set(stale.map((each) => each.name))], what)} had ${rest}`)]
}

function judgeNotes(findings: Findings, ranking: readonly Ranked[]): string[] {
  const { config, judging } = findings
  const scored = new Set(findings.answers.map(({ judge }) => judge))
  const answered = answeredBy(findings)
  const notes: string[] = []
  const working = judgesWithWork(config, findAdapter)
  const asked = working.length
  const failed = asked - answered.size
  if (config.ranking.by === 'checks' && answered.size > 0) notes.push('Only the checks rank. Scores of judges are shown beside them.')
  if (config.ranking.by === 'checks-then-judges' && answered.size > 0)
    notes.push('The weighted share of checks comes first; judges order those that passed the same.')
  if (asked > 0) {
    if (answered.size === 0)
      notes.push(
        noScores(
          asked,
          Object.values(standings(judging.tasks)).some((each) => each.state === 'failed'),
        ),
      )
    else if (findings.pairs.length > 0) notes.push(pairsNote(findings))
    else if (failed === 0) {
      const counting = [...scored].filter((name) => !whoFailed(findings).has(name)).length
      if (counting > 0)
        notes.push(
          `Scores are the mean over ${counting === 1 ? 'one judge' : `${counting} judges`}${config.judging.repeats > 1 ? `, each asked ${config.judging.repeats} times` : ''}.`,
        )
    } else if (judging.unfinished !== judging.number) notes.push(`${scored.size} of ${asked} judges count; ${failed} gave no scores.`)
    if (answered.size > 0 && isAnyKeptApart(config, ranking))
      notes.push('No judge scored its own family, so not all have the same judges. Scores account for how lenient each judge is.')
    if (answered.size === 1) notes.push('One judge is one opinion. Nothing here shows whether another judge would agree.')
    const widest = ranking.reduce((most, each) => Math.max(most, each.spread === null ? 0 : each.spread.max - each.spread.min), 0)
    if (scored.size > 1)
      notes.push(
        widest < 0.05
          ? 'The judges gave each submission the same score.'
          : `The judges are at most ${widest.toFixed(1)} points of 100 apart on one submission.`,
      )
  }
  for (const name of whoFailed(findings))
    notes.push(`${name} failed a control, so its scores do not count. Its card says which. The ranking by all judges is also shown.`)
  for (const { name } of config.judges)
    if (!working.includes(name)) notes.push(`${name} judged nothing, because every participant is of its family.`)
  for (const { name } of config.judges)
    if (tasksOf(name, judging.tasks).some((each) => each.outcome?.kind === 'scores-differ'))
      notes.push(
        `The scores of ${name} were refused: its last message and its file differ, and a program of a submission may have written the file. Ask again with --retry.`,
      )
  return notes
}

/** Returns the judges that gave an answer that counts. */
function answeredBy({ answers, pairs }: Findings): ReadonlySet<string> {
  return new Set([...answers.map(({ judge }) => judge), ...pairs.map(({ judge }) => judge)])
}

function pairsNote(findings: Findings): string {
  const failed = whoFailed(findings)
  const pairs = findings.pairs.filter(({ judge }) => !failed.has(judge))
  const compared = comparedOf(pairs)
  const left = pairs.length - 2 * compared.length
  const rest = left === 0 ? '' : `; ${left} more ${left === 1 ? 'does' : 'do'} not count, because the other order is missing`
  return `A score is the share of comparisons that a submission wins, in percent: ${count(compared.length, 'comparison')}, each in both orders${rest}.`
}

function isAnyKeptApart(config: ContestConfig, ranking: readonly Ranked[]): boolean {
  const isApart = keptApart(config, findAdapter)
  return config.judges.some((judge) => ranking.some(({ name }) => isApart(judge.name, name)))
}

function noScores(asked: number, someFailed: boolean): string {
  const what = asked === 1 ? 'The judge gave no scores.' : `None of ${asked} judges gave scores.`
  return someFailed ? `${what} To ask ${asked === 1 ? 'it' : 'them'} again: paddock contest run --retry` : what
}

function rankNotes(ranking: readonly Ranked[], notRanked: readonly NotRanked[]): string[] {
  const notes: string[] = []
  const top = ranking.filter((each) => each.rank === 1).map((each) => each.name)
  if (top.length > 1) notes.push(`${someNames(top, 'participant')} share the first rank.`)
  const failures = notRanked.filter((each) => each.failedToRun && each.outcome !== null).length
  if (failures > 0)
    notes.push(
      `${failures === 1 ? 'One participant' : `${failures} participants`} did not finish, which says nothing about the work. To run again: paddock contest run --retry`,
    )
  const open = notRanked.filter((each) => each.outcome === null).length
  if (open > 0)
    notes.push(`${open === 1 ? 'One participant has' : `${open} participants have`} not ended. To continue: paddock contest run`)
  const results = ranking.flatMap(({ name, checks }) => checks.results.map((each) => ({ ...each, of: name })))
  const notRun = results.filter((each) => each.result === 'could-not-run')
  for (const { name, why, isFlaky } of new Map(notRun.map((each) => [`${each.name} ${each.why}`, each])).values())
    notes.push(`Check ${name} ${isFlaky === true ? 'is flaky' : 'could not be run'} and does not count: ${why}.`)
  for (const { name, why, of } of results.filter((each) => each.isFlaky === true && each.result !== 'could-not-run'))
    notes.push(`Check ${name} is flaky on the submission of ${of}, so its worst run counts: ${why}.`)
  return notes
}

function costNotes({ config, status, judging }: Findings): string[] {
  const all = [
    ...config.participants.map(({ name }) => ({ name, at: status.participants[name] })),
    ...config.judges.map(({ name }) => ({ name, at: standingOf(name, judging.tasks) })),
  ]
  return all.flatMap(({ name, at }) => {
    const cost = at?.earlierCostUsd ?? 0
    return cost > 0 ? [`The cost of ${name} includes ${formatCost(cost)} of earlier attempts.`] : []
  })
}

function secretNotes(ranking: readonly Ranked[]): string[] {
  const notes: string[] = []
  for (const { name, secrets } of ranking) {
    if (secrets === null || secrets.findings.length === 0) continue
    const places = secrets.findings.slice(0, 5).map(findingText)
    const others = secrets.findings.length - places.length + secrets.more
    notes.push(
      `The submission of ${name} contains what looks like a secret, so check it before you publish it: ${places.join('; ')}${others === 0 ? '' : `; and ${others} more`}.`,
    )
  }
  for (const { name, secrets } of ranking)
    if (secrets !== null && secrets.notLookedCount > 0)
      notes.push(
        `Not all of the submission of ${name} was searched for secrets: ${secrets.notLooked
          .slice(0, 3)
          .map((each) => `${each.path} (${each.why})`)
          .join('; ')}${secrets.notLookedCount > 3 ? `; and ${secrets.notLookedCount - 3} more` : ''}.`,
      )
  return notes
}

/** Returns a note if the participants worked at different isolation levels. */
function levelNotes(all: readonly (Pick<Ranked, 'name'> & { readonly posture?: Posture | undefined })[]): string[] {
  const levels = unequalLevels(all)
  return levels === null ? [] : [`Participants worked at different isolation levels, so this is not a comparison of equals: ${levels}.`]
}

/** Returns notes on work that reveals its author, because judging is then not blind. */
function identityNotes(ranking: readonly Ranked[]): string[] {
  return ranking.flatMap(({ name, identity }) => {
    if (identity === null || identity.isHidden || identity.found.length === 0) return []
    const [first, second] = identity.found
    const shown = [first, second].flatMap((each) =>
      each === undefined ? [] : [`${each.path}${each.line === null ? '' : `:${each.line}`} (${each.what})`],
    )
    const more = identity.found.length + identity.more - shown.length
    return [
      `Judges could identify the author of the submission of ${name}: ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}. To hide that: judging.identity: redact`,
    ]
  })
}

/** Returns notes on work that orders judges to prefer it. */
function orderNotes(ranking: readonly Ranked[]): string[] {
  return ranking.flatMap(({ name, orders }) => {
    const [first] = orders?.found ?? []
    const cut = orders?.isCut === true ? [`The search of the submission of ${name} for orders to judges ended after 32 MiB of text.`] : []
    if (orders === null || first === undefined) return cut
    const more = orders.found.length + orders.more - 1
    const rest = more === 0 ? '' : ` and ${count(more, 'more line')}`
    const end = orders.isHidden ? 'Judges did not see this.' : 'To hide that and judge again: judging.orders: redact'
    return [`The submission of ${name} gives orders to the judge: ${first.path}:${first.line} ("${first.text}")${rest}. ${end}`, ...cut]
  })
}

/** Returns names as text; if there are many, only their number. */
function someNames(names: readonly string[], what: string): string {
  return names.length > 3 ? count(names.length, what) : and(names)
}

function and(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((each) => each !== '').join(' and ')
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { listed } from '../src/base/text.ts'
import type { Result } from '../src/cli/results.ts'
import { cell, paragraph } from '../src/contest/report/report-markdown.ts'
import type { Finding } from './ci-system.ts'
import type { CommandName } from './job-inputs.ts'
import type { TestCase } from './junit.ts'

/** What a command of Paddock found, for the people who read the job. */
export interface Told {
  /** One sentence. */
  readonly headline: string
  /** Markdown without a heading. */
  readonly body: string
  readonly findings: readonly Finding[]
  readonly cases: readonly TestCase[]
  /** True: a budget kept something from running, so the job fails. */
  readonly isCutShort?: boolean
  /** True: the command came to a result. */
  readonly isResult?: boolean
}

export interface ResultPlace {
  readonly workspace: string
  /** The contest, the suite or the project: an absolute path. */
  readonly directory: string
  /** The directory with the report files of a comparison. */
  readonly report: string
  readonly code: number
}

/** Returns what the JSON output of a command says. */
export function toldBy(command: CommandName, json: unknown, place: ResultPlace): Told {
  return { ...toldOf(command, json, place), isResult: true }
}

function toldOf(command: CommandName, json: unknown, place: ResultPlace): Told {
  switch (command) {
    case 'run':
      return runTold(json as Result<'run'>, place)
    case 'contest':
      return contestTold(json as Result<'contest run'>, place)
    case 'suite':
      return suiteTold(json as Result<'suite run'>, place)
    case 'compare':
      return comparisonTold(json as Result<'suite compare'>, place)
    case 'verify':
      return verifyTold(json as Result<'verify'>)
  }
}

const mostListed = 10

function runTold(json: Result<'run'>, { workspace, directory, code }: ResultPlace): Told {
  if (!('changes' in json)) return { headline: 'The plan of the run; nothing was started.', body: '', findings: [], cases: [] }
  const { ending, name } = json
  const changes = json.changes ?? { created: [], modified: [], deleted: [], runsLater: [], quarantined: [] }
  const at = (file: string): string | null => within(workspace, path.resolve(directory, file))
  const counts = [
    [changes.created.length, 'added'],
    [changes.modified.length, 'modified'],
    [changes.deleted.length, 'deleted'],
  ] as const
  const files = counts.filter(([count]) => count > 0).map(([count, what]) => `${files_(count)} ${what}`)
  const how = ending.kind === 'exited' ? `ended with exit code ${code}` : `ended (${ending.kind.replaceAll('-', ' ')}), exit code ${code}`
  const later = changes.runsLater.map(
    (each): Finding => ({ level: 'warning', message: `Review this file before you use it: ${each.why}.`, file: at(each.path), line: 1 }),
  )
  const moved = changes.quarantined.map(
    ({ path: file, movedTo }): Finding => ({
      level: 'warning',
      message: `Quarantined as ${movedTo}, because a tool on your machine would run it.`,
      file: at(file),
      line: 1,
    }),
  )
  const list = (title: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`- ${title}: ${cell(listed(names, mostListed))}`]
  return {
    headline: `${name} ${how}${files.length === 0 ? '' : `; ${files.join(', ')}`}.`,
    body: [
      ...list(
        'Files that can run later',
        changes.runsLater.map((each) => each.path),
      ),
      ...list(
        'Quarantined',
        changes.quarantined.map((each) => each.path),
      ),
      ...list(
        'Given up',
        json.degraded.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))),
      ),
    ].join('\n'),
    findings: [...later, ...moved],
    cases: [{ group: 'paddock.run', name, state: code === 0 ? 'passed' : 'failed', text: `${name} ${how}.` }],
  }
}

const files_ = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`

function contestTold(json: Result<'contest run'>, place: ResultPlace): Told {
  if (!('ranking' in json)) return planned
  const left = [...json.notRanked.filter((each) => each.outcome === null), ...json.judges.filter((each) => each.state === 'pending')]
  const cut = left.length === 0 ? [] : [`${left.map((each) => each.name).join(', ')} did not start.`]
  const file = path.join(place.directory, 'contest.yaml')
  const failed = json.notRanked.map(({ name, outcome }) => ({
    name,
    why: outcome?.message ?? outcome?.kind.replaceAll('-', ' ') ?? 'it was not run',
  }))
  return {
    headline: [json.verdict?.sentence ?? `The contest ${json.contest} has no ranking.`, ...cut].join(' '),
    body: withoutTitle(path.join(place.directory, 'report/leaderboard.md'), json.verdict?.sentence),
    findings: failed.map(({ name, why }) => named(place, file, name, 'warning', `${name} is not ranked: ${why}`)),
    cases: [
      ...json.ranking.map(({ name }): TestCase => ({ group: json.contest, name, state: 'passed', text: '' })),
      ...failed.map(({ name, why }): TestCase => ({ group: json.contest, name, state: 'error', text: why })),
    ],
    isCutShort: cut.length > 0,
  }
}

function suiteTold(json: Result<'suite run'>, place: ResultPlace): Told {
  if (!('briefs' in json)) return planned
  const runs = json.briefs.flatMap((brief) =>
    brief.problem !== null
      ? [{ name: brief.name, path: brief.path, why: brief.problem }]
      : brief.runs.map((run) => ({
          name: `${brief.name}-${run.repeat}`,
          path: brief.path,
          why: run.state === 'complete' ? null : (run.why ?? run.state.replaceAll('-', ' ')),
        })),
  )
  const open = runs.filter((each) => each.why !== null)
  const cut =
    json.reached === null
      ? []
      : [`The budget was reached (${json.reached}), so ${open.length} of ${runs.length} contests are not complete.`]
  return {
    headline: [json.verdict?.sentence ?? `The suite ${json.suite} has no ranking.`, ...cut].join(' '),
    body: withoutTitle(path.join(place.directory, 'report/leaderboard.md'), json.verdict?.sentence),
    findings: [
      ...cut.map((message) => named(place, path.join(place.directory, 'suite.yaml'), 'budget', 'error', message)),
      ...open.map(
        (each): Finding => ({
          level: 'warning',
          message: `The contest ${each.name} is not complete: ${each.why}`,
          file: within(place.workspace, path.join(place.directory, each.path, 'BRIEF.md')),
          line: 1,
        }),
      ),
    ],
    cases: runs.map(({ name, why }) => ({ group: json.suite, name, state: why === null ? 'passed' : 'error', text: why ?? '' })),
    isCutShort: json.reached !== null,
  }
}

function comparisonTold(json: Result<'suite compare'>, place: ResultPlace): Told {
  if (!('gates' in json)) return planned
  const file = path.join(place.directory, 'suite.yaml')
  return {
    headline: json.sentences.join(' ') || 'Nothing could be compared.',
    body: withoutTitle(path.join(place.report, 'comparison.md'), ...json.sentences),
    findings: json.gates
      .filter((each) => each.state !== 'passed')
      .map(({ participant, gate, state, why }) => {
        const said = json.sentences.find((each) => each.includes(participant))
        const what = state === 'failed' ? (why ?? said ?? 'it failed') : `not tested: ${why ?? said ?? 'there are too few results'}`
        return named(place, file, participant, 'error', `Gate "${gate}", ${participant}: ${what}`)
      }),
    cases: [],
  }
}

function verifyTold({ guarantees, posture, backend, egress }: Result<'verify'>): Told {
  const count = (status: string): number => guarantees.filter((each) => each.status === status).length
  const off = guarantees.filter((each) => each.status !== 'held')
  return {
    headline: `${posture}, ${backend}, egress ${egress}: ${count('held')} guarantees held, ${count('broken')} broken, ${count('unenforceable')} not enforceable here.`,
    body: off
      .map((each) => `- **${each.status === 'broken' ? 'BROKEN' : 'not enforceable here'}** ${cell(each.id)}: ${paragraph(each.evidence)}`)
      .join('\n'),
    findings: off.map(
      ({ id, status, evidence }): Finding => ({
        level: status === 'broken' ? 'error' : 'warning',
        message: `${id} is ${status === 'broken' ? 'broken' : 'not enforceable here'}: ${evidence}`,
        file: null,
        line: null,
      }),
    ),
    cases: guarantees.map(({ id, status, evidence }) => ({
      group: 'paddock.guarantees',
      name: id,
      state: status === 'held' ? 'passed' : status === 'broken' ? 'failed' : 'skipped',
      text: evidence,
    })),
  }
}

const planned: Told = { headline: 'The plan; nothing was started.', body: '', findings: [], cases: [] }

/** Returns a report without its title, and without sentences that are in the headline. */
function withoutTitle(file: string, ...headline: readonly (string | undefined)[]): string {
  if (!existsSync(file)) return ''
  const bold = new Set(headline.map((each) => `**${paragraph(each ?? '')}**`))
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines
    .filter((each, at) => !(at === 0 && each.startsWith('# ')) && !bold.has(each))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Returns a finding at the line of a YAML file that names a participant, a judge or a key. */
function named(place: ResultPlace, file: string, name: string, level: Finding['level'], message: string): Finding {
  return { level, message, file: within(place.workspace, file), line: lineOf(file, name) }
}

/** Returns the line with `name: NAME`, or with the key NAME; null: there is no such line. */
export function lineOf(file: string, name: string): number | null {
  if (!existsSync(file)) return null
  const own = name.replace(/[^\w-]/g, '\\$&')
  const pattern = new RegExp(`\\bname:\\s*["']?${own}["']?\\s*(?:[,}#]|$)|^\\s*${own}:`)
  const at = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => pattern.test(line))
  return at === -1 ? null : at + 1
}

/** Returns a path relative to the checkout; null: it is not in it. */
export function within(workspace: string, file: string): string | null {
  const relative = path.relative(workspace, file)
  return relative.startsWith('..') || path.isAbsolute(relative) || relative === '' ? null : relative
}

/** Returns the findings of an error: each problem of a YAML file at its line. */
export function errorFindings(
  message: string,
  hint: string | undefined,
  { workspace, directory }: Pick<ResultPlace, 'workspace' | 'directory'>,
): readonly Finding[] {
  const whole: Finding = { level: 'error', message: hint === undefined ? message : `${message}\n${hint}`, file: null, line: null }
  const name = /^([\w./-]+\.ya?ml)(?:,| has)/.exec(message)?.[1]
  if (name === undefined) return [whole]
  const file = path.join(directory, name)
  if (!existsSync(file)) return [whole]
  const problems = [...message.matchAll(/line (\d+), column \d+: ([^\n]*)/g)]
  return problems.map(([, line, problem = '']) => ({ level: 'error', message: problem, file: within(workspace, file), line: Number(line) }))
}

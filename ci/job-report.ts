import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { PaddockError, redact } from '../src/base/errors.ts'
import { cell, paragraph } from '../src/contest/report/report-markdown.ts'
import type { CiSystem, Finding, JobOutputs } from './ci-system.ts'
import type { CommandName } from './job-inputs.ts'
import type { Told } from './job-result.ts'
import { junit } from './junit.ts'

export interface JobFacts {
  readonly command: CommandName | null
  readonly code: number
  readonly told: Told
  /** Sentences about how the job was run, such as that it has no credentials. */
  readonly notes: readonly string[]
  /** Hosts that cells were denied, with the reason. */
  readonly denied: readonly string[]
}

const results: Readonly<Record<number, string>> = { 0: 'passed', 124: 'timed-out', 125: 'error', 130: 'cancelled' }

/** Returns the name of a result. A code without a result of the command is an error, but for 1. */
const resultOf = ({ code, told }: JobFacts): string => results[code] ?? (code === 1 || told.isResult === true ? 'failed' : 'error')
/** GitHub takes comments of up to 65,536 characters, and GitLab longer ones. */
const longestComment = 60_000
const mostDenied = 20

/** Writes the files of the report to `directory`, and shows what the job found. */
export function reportJob(system: CiSystem, directory: string, final: string, facts: JobFacts): void {
  const { command, code, told } = facts
  const headline = redact(told.headline.replace(/\s+/g, ' '))
  const findings = told.findings.map((each): Finding => ({ ...each, message: redact(each.message) }))
  const markdown = redact(summary(facts))
  const short = redact(summary({ ...facts, told: { ...told, body: opening(told.body) } }))
  writeFileSync(path.join(directory, 'summary.md'), markdown)
  writeFileSync(path.join(directory, 'comment.md'), comment(command, short))
  if (!existsSync(path.join(directory, 'junit.xml'))) {
    const failed = { group: `paddock.${command ?? 'job'}`, name: 'job', state: 'error', text: headline } as const
    writeFileSync(
      path.join(directory, 'junit.xml'),
      redact(junit(`paddock ${command ?? ''}`.trim(), told.cases.length === 0 ? [failed] : told.cases)),
    )
  }
  system.print(`Paddock${command === null ? '' : ` ${command}`}: ${resultOf(facts)}. ${headline}`)
  system.annotate(findings, directory)
  system.summarise(markdown, short)
  const outputs: JobOutputs = {
    'exit-code': String(code),
    result: resultOf(facts),
    headline,
    report: final,
    comment: path.join(final, 'comment.md'),
  }
  system.output(outputs, directory)
}

function summary(facts: JobFacts): string {
  const { command, code, told, notes, denied } = facts
  const more = denied.length > mostDenied ? [`- and ${denied.length - mostDenied} more, in audit.jsonl`] : []
  const parts = [
    `## Paddock${command === null ? '' : ` ${command}`}: ${resultOf(facts)}${code === 0 ? '' : ` (exit code ${code})`}`,
    `**${paragraph(told.headline)}**`,
    notes.map((each) => `- ${paragraph(each)}`).join('\n'),
    told.body,
    denied.length === 0 ? '' : ['### Denied', '', ...denied.slice(0, mostDenied).map((each) => `- ${cell(each)}`), ...more].join('\n'),
  ]
  return `${parts.filter((each) => each !== '').join('\n\n')}\n`
}

/** Returns a report up to its second part, which is its result. */
function opening(body: string): string {
  const [first = '', ...rest] = body.split(/^## /m)
  return rest.length === 0 ? body : `${first.trim()}\n\nThe rest is in the report of the job.`
}

/** Returns a comment for a pull request. Its first line tells a later run which comment to replace. Nobody is mentioned in it. */
function comment(command: CommandName | null, markdown: string): string {
  const text = markdown.replace(/@(?=[\w-])/g, '@\u200b')
  const whole =
    text.length <= longestComment ? text : `${text.slice(0, text.lastIndexOf('\n', longestComment))}\n\nThe rest is in summary.md.\n`
  return `<!-- paddock ${command ?? 'job'} -->\n${whole}`
}

/** Copies the report of a contest or suite. */
export function takeReport(from: string, to: string): void {
  for (const name of ['leaderboard.md', 'summary.json', 'report.html']) {
    const file = path.join(from, 'report', name)
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === true) copyFileSync(file, path.join(to, name))
  }
}

interface DenyLine {
  readonly kind: string
  readonly data: {
    readonly host?: string
    readonly name?: string
    readonly port?: number | null
    readonly decision?: string
    readonly reason?: string
  }
}

/** Returns the hosts that cells were denied, by the audit log, the most frequent first. */
export function deniedIn(log: string): readonly string[] {
  if (!existsSync(log)) return []
  const counts = new Map<string, number>()
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    if (!/"(?:egress\.deny|denied|deny)"/.test(line)) continue
    const { kind, data } = JSON.parse(line) as DenyLine
    if (kind !== 'egress.deny' && !/^den/.test(data.decision ?? '')) continue
    const what = `${data.host ?? data.name ?? '?'}${data.port == null ? '' : `:${data.port}`} (${data.reason ?? 'denied'})`
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([what, count]) => (count === 1 ? what : `${what}, ${count} times`))
}

/**
 * Puts the finished report in its place. A cell may have had the checkout, so nothing in it is followed: a link at that place is removed,
 * and a parent that leads elsewhere is refused.
 */
export function placeReport(from: string, to: string): void {
  const parent = path.dirname(to)
  try {
    mkdirSync(parent, { recursive: true })
    if (realpathSync(parent) !== parent) throw new Error('a part of its path is a symbolic link')
    rmSync(to, { recursive: true, force: true })
    mkdirSync(to)
    for (const name of readdirSync(from)) cpSync(path.join(from, name), path.join(to, name), { recursive: true })
  } catch (error) {
    throw new PaddockError('FILES_FAILED', `The report cannot be written to ${to}: ${(error as Error).message}.`, { cause: error })
  }
}

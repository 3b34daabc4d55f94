import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { contestDeps } from '../src/contest/run/host-deps.ts'
import { reportSuite } from '../src/contest/suite/report/report-suite.ts'
import { runSuite } from '../src/contest/suite/run-suite.ts'
import { openHost } from '../src/host.ts'
import { type Figure, inTurn, median, time } from './measure.ts'

const rounds = 3

/** Scores all submissions at random. */
const judge = `node -e '
  const { readFileSync, writeFileSync } = require("node:fs")
  const { order } = JSON.parse(readFileSync("/contest/TASK.json", "utf8"))
  const any = () => Math.floor(Math.random() * 100)
  const scores = Object.fromEntries(order.map((label) => [label, { quality: any(), style: any(), tests: any() }]))
  writeFileSync("/contest/outbox/scores.json", JSON.stringify({ scores }))
'`

interface Size {
  readonly participants: number
  readonly judges: number
  readonly briefs: number
}

/** Measures the report of two suites from their files: 20 participants, 10 judges and 50 briefs, and 1,000 contests. */
export async function suiteReports(directory: string, env: Readonly<Record<string, string>>): Promise<Figure[]> {
  const large = await finished(directory, env, { participants: 20, judges: 10, briefs: 50 })
  const many = await finished(directory, env, { participants: 4, judges: 3, briefs: 1_000 })
  const report = (at: string) => (): Promise<number> => time(() => reportSuite(at, new Date()))
  const took = await inTurn(rounds, { large: report(large), many: report(many) })
  const figure = (name: string, ms: number, most: number): Figure => ({
    name,
    value: `${(ms / 1000).toFixed(1)} s`,
    bar: `at most ${most} s`,
    met: ms <= 1000 * most,
  })
  return [
    figure('the report of 20 participants, 10 judges and 50 briefs', median(took.large), 3),
    figure('the report of 1,000 contests', median(took.many), 8),
  ]
}

/** Returns a suite in which one brief was run, and the others have copies of its files with other scores. */
async function finished(directory: string, env: Readonly<Record<string, string>>, { participants, judges, briefs }: Size): Promise<string> {
  const at = mkdtempSync(path.join(directory, 'report-'))
  const role = (name: string, script: string): object => ({ name, agent: 'command', command: ['sh', '-c', script] })
  const config = {
    schemaVersion: 1,
    name: 'report',
    briefs: ['briefs/*'],
    contest: {
      participants: Array.from({ length: participants }, (_, each) => role(`p${each}`, `echo ${each} > a`)),
      judges: Array.from({ length: judges }, (_, each) => role(`j${each}`, judge)),
      rubric: {
        scale: { min: 0, max: 100 },
        dimensions: ['quality', 'style', 'tests'].map((id) => ({ id, description: id })),
      },
    },
  }
  writeFileSync(path.join(at, 'suite.yaml'), JSON.stringify(config))
  for (let each = 0; each < briefs; each += 1) {
    mkdirSync(path.join(at, 'briefs', `b${each}`), { recursive: true })
    writeFileSync(path.join(at, 'briefs', `b${each}`, 'BRIEF.md'), 'Write a number.\n')
  }
  using host = openHost({ env, notice: () => {} })
  const deps = await contestDeps(host, { signal: new AbortController().signal, progress: () => {} })
  await runSuite(at, { ...deps, progress: () => {} }, { only: ['b0'] })
  for (let each = 1; each < briefs; each += 1) copyContest(at, `b${each}`)
  return at
}

function copyContest(suite: string, name: string): void {
  const to = path.join(suite, 'runs', name)
  cpSync(path.join(suite, 'runs/b0'), to, { recursive: true })
  for (const file of ['contest.yaml', 'status.json'].map((each) => path.join(to, '1', each))) {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('name: b0', `name: ${name}`).replace('"contest": "b0"', `"contest": "${name}"`))
  }
  for (const each of globSync(path.join(to, '1/judging/*/*/**/scores.json'))) {
    const file = JSON.parse(readFileSync(each, 'utf8')) as { scores: Record<string, Record<string, number>> }
    for (const scores of Object.values(file.scores)) for (const id of Object.keys(scores)) scores[id] = Math.floor(100 * Math.random())
    writeFileSync(each, JSON.stringify(file))
  }
}

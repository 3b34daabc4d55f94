import { hash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { agreementOf } from '../src/contest/ranking/agreement/agreement.ts'
import { cardsOn, type Placed } from '../src/contest/ranking/cards/card.ts'
import type { Rating } from '../src/contest/ranking/cards/ratings.ts'
import type { Summary } from '../src/contest/ranking/contest-summary.ts'
import { seeded } from '../src/contest/ranking/probability/random.ts'
import { bradleyTerry, type Comparison } from '../src/contest/ranking/strength/bradley-terry.ts'
import type { Estimate } from '../src/contest/ranking/strength/estimate.ts'
import { firstPlaceOf } from '../src/contest/ranking/strength/first-place.ts'
import { intervalsOf } from '../src/contest/ranking/strength/intervals.ts'
import { type Block, leastSquares } from '../src/contest/ranking/strength/least-squares.ts'
import { ranksOf } from '../src/contest/ranking/strength/ranks.ts'
import { reportPage } from '../src/contest/report/page/report-page.ts'
import { packWork, type SealedWork } from '../src/contest/seal/packed-work.ts'
import { sealSubmission } from '../src/contest/seal/seal.ts'
import { type Figure, inTurn, median, time } from './measure.ts'

const participants = 20
const judges = 10
const briefs = 50
const comparisonsEach = 15
/** Number of leaderboards: the main one, all judges, without kin, own faults lose. */
const boards = 4

/** Measures the statistics of a large contest, and a report of many files in a browser. */
export async function contests(directory: string): Promise<Figure[]> {
  return [await statistics(), ...(await largeReport(directory))]
}

async function statistics(): Promise<Figure> {
  const random = seeded(1)
  const ratings: Rating[] = []
  const comparisons: Comparison[] = []
  const blocks: Block[] = []
  for (let cluster = 0; cluster < briefs; cluster += 1)
    for (let judge = 0; judge < judges; judge += 1) {
      const points = new Map<number, number>()
      for (let each = 0; each < participants; each += 1) {
        const value = Math.round(Math.max(0, Math.min(100, 30 + 2 * each + 40 * (random() - 0.5))) / 10) * 10
        points.set(each, value)
        ratings.push({ brief: String(cluster), judge: String(judge), participant: String(each), points: value })
      }
      blocks.push({ cluster, points })
      for (let each = 0; each < comparisonsEach; each += 1) {
        const a = Math.floor(random() * participants)
        const b = (a + 1 + Math.floor(random() * (participants - 1))) % participants
        comparisons.push({ a, b, score: random() < 1 / (1 + Math.exp((b - a) / 10)) ? 1 : 0, cluster })
      }
    }
  const size = { participants, clusters: briefs }
  const board = (estimate: Estimate | null): unknown => {
    if (estimate === null) throw new Error('the comparisons connect nobody')
    const ranks = ranksOf(estimate, { seed: 1 })
    return [intervalsOf(estimate)?.strengths, ranks?.ranges, firstPlaceOf(estimate, [])]
  }
  const all = (): string => {
    const found: unknown[] = []
    for (let each = 0; each < boards; each += 1) found.push(board(leastSquares(blocks, size)), board(bradleyTerry(comparisons, size)))
    const evidence = Array.from({ length: judges }, (_, judge) => {
      const own = ratings.filter((each) => each.judge === String(judge))
      const placed: Placed[] = own.map(({ judge: _judge, ...each }, at) => ({
        ...each,
        task: each.brief,
        position: (at % participants) / (participants - 1),
      }))
      const stood = { trials: 0, obeys: null, planted: null, repeat: null, praisesEmpty: null }
      return { judge: String(judge), placed, pairs: [], isOwn: (name: string) => name === String(judge), stood }
    })
    found.push([...cardsOn(evidence, ratings)])
    const units = Array.from({ length: briefs * participants }, (_, unit) =>
      Array.from(
        { length: judges },
        (_each, judge) =>
          ratings[Math.floor(unit / participants) * judges * participants + judge * participants + (unit % participants)]?.points ?? null,
      ),
    )
    found.push(
      agreementOf(
        units,
        Array.from({ length: 11 }, (_, step) => 10 * step),
      ),
    )
    return hash('sha256', JSON.stringify(found))
  }
  const seen = new Set<string>()
  const { all: times } = await inTurn(5, { all: () => time(async () => seen.add(all())) })
  const ms = median(times)
  return {
    name: `${participants} participants, ${judges} judges, ${briefs} briefs, ${2 * boards} boards`,
    value: `${ms.toFixed(0)} ms, ${seen.size === 1 ? 'the same each time' : 'NOT the same each time'}`,
    bar: 'under 2,000 ms, the same bits',
    met: ms < 2000 && seen.size === 1,
  }
}

/** Measures ten submissions of 2,000 files, like those of real programs: a third of them is the same in all. */
async function largeReport(directory: string): Promise<Figure[]> {
  const work: SealedWork[] = []
  for (let submission = 0; submission < 10; submission += 1) {
    const source = path.join(directory, `submission-${submission}`)
    for (let file = 0; file < 2000; file += 1) {
      const at = path.join(source, `src/part-${file % 40}`)
      if (file < 40) mkdirSync(at, { recursive: true })
      const of = file % 3 === 0 ? 'all' : `s${submission}`
      const line = (n: number): string =>
        `export const value${n}_${hash('md5', `${of} ${file} ${n}`).slice(0, 6)} = compute(${file * n}, '${of}')\n`
      writeFileSync(path.join(at, `file-${file}.js`), Array.from({ length: 40 }, (_, n) => line(n)).join(''))
    }
    const sealed = path.join(directory, `report-sealed-${submission}`)
    const target = { directory: sealed, archive: path.join(sealed, 'out.tar'), seal: path.join(sealed, 'seal.json') }
    const about = { attempt: 1, now: new Date(0), scratch: path.join(directory, 'report-scratch') }
    work.push({
      name: `p${submission}`,
      archive: target.archive,
      seal: await sealSubmission(source, target, { maxFiles: 20_000, maxBytes: 1024 ** 3 }, about),
    })
  }
  const summary: Summary = {
    schemaVersion: 1,
    contest: 'large',
    description: null,
    round: 1,
    judging: 0,
    unfinishedJudging: null,
    generatedAt: new Date(0).toISOString(),
    scale: null,
    dimensions: [],
    rankedBy: 'nothing',
    verdict: null,
    ranking: [],
    boards: [],
    variants: [],
    notRanked: [],
    judges: [],
    pairs: [],
    orders: [],
    redaction: null,
    agreement: [],
    you: null,
    notes: [],
  }
  let page = ''
  const made = await time(async () => {
    page = reportPage(summary, await packWork(work))
  })
  const file = path.join(directory, 'report.html')
  writeFileSync(file, page)
  const size = Buffer.byteLength(page) / 1024 ** 2
  const figures: Figure[] = [
    {
      name: 'a report of 10 submissions of 2,000 files',
      value: `${size.toFixed(1)} MB, made in ${(made / 1000).toFixed(1)} s`,
      bar: 'under 20 MB',
      met: size < 20,
    },
  ]
  const name = 'its first paint, and the first file beside another'
  const bar = 'first paint under 1,000 ms'
  if (!existsSync('/usr/bin/chromium')) return [...figures, { name, value: 'no Chromium here', bar, met: null }]
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const paints: number[] = []
    const files: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const tab = await browser.newPage()
      await tab.goto(`file://${file}`, { waitUntil: 'commit' })
      await tab.locator('#work .diff tr').first().waitFor()
      files.push((await tab.evaluate('performance.now()')) as number)
      paints.push((await tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")) as number)
      await tab.close()
    }
    const paint = median(paints)
    return [...figures, { name, value: `${paint.toFixed(0)} ms, and ${median(files).toFixed(0)} ms`, bar, met: paint < 1000 }]
  } finally {
    await browser.close()
  }
}

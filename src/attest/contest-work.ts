import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import type { VerifiedLog } from '../audit/verified-lines.ts'
import { PaddockError } from '../base/errors.ts'
import { Layout } from '../contest/config/contest-layout.ts'
import { currentReport } from '../contest/report/current-report.ts'
import { readProject } from '../contest/state/project-file.ts'
import { readRegular } from '../files/read-regular.ts'
import { cellsOfWork } from './attested-cells.ts'
import type { Work } from './records.ts'
import type { Subject } from './statement-schema.ts'

const mostReport = 4 * 1024 ** 2
const mostArchive = 2 * 1024 ** 3

/** Returns the work of the newest round of a contest, from its report, its seals and the log. Its files are checked as its report is. */
export async function contestWork(log: VerifiedLog, directory: string): Promise<Work> {
  const layout = new Layout(directory)
  const current = await currentReport(layout.root)
  if (current === null)
    throw new PaddockError('CONFLICT', `The contest in ${layout.root} has no current report.`, { hint: 'Run: paddock contest report' })
  const { summary } = current
  const { round, judging, ranking } = summary
  const project = existsSync(layout.project) ? await readProject(layout) : null
  const found = cellsOfWork(log, [
    ...(await cellsBelow(path.join(layout.rounds, String(round)), '*/attempts/*/cell.json')),
    ...(await cellsBelow(path.join(layout.judgings, String(judging)), '*/tasks/*/attempts/*/cell.json')),
  ])
  const sealed = await Promise.all(ranking.map(({ name }) => subjectOf(layout.root, layout.sealed(round, name).archive)))
  return {
    subject: [await subjectOf(layout.root, layout.summary), ...sealed].filter((each) => each !== null),
    predicate: {
      kind: 'contest',
      id: `${summary.contest}#${round}`,
      project: project?.project ?? null,
      base: typeof project?.commit === 'string' ? { gitCommit: project.commit } : null,
      cells: found.cells.filter(({ name }) => name.startsWith('contest ')),
      cellsNotInLog: found.missing,
      applied: null,
      contest: {
        name: summary.contest,
        round,
        judging,
        verdict: summary.verdict?.sentence ?? null,
        participants: ranking.map(({ name, agent, model, rank, tree }) => ({ name, agent, model, rank, tree })),
      },
    },
  }
}

/** Returns a file of a contest as a subject; null if it does not exist. */
async function subjectOf(root: string, file: string): Promise<Subject | null> {
  const read = await readRegular(file, mostArchive)
  return read.ok ? { name: path.relative(root, file), digest: { sha256: hash('sha256', read.bytes, 'hex') } } : null
}

/** Returns the ids in the reports of cells. `pattern`: the places where Paddock writes them, which no agent can write to. */
async function cellsBelow(directory: string, pattern: string): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const each of glob(pattern, { cwd: directory })) {
    const read = await readRegular(path.join(directory, each), mostReport)
    try {
      const { cell } = JSON.parse(read.ok ? read.bytes.toString('utf8') : '') as { cell?: unknown }
      if (typeof cell === 'string') ids.push(cell)
    } catch {
      // A report that a crash left incomplete. Its cell is not part of the result.
    }
  }
  return ids
}

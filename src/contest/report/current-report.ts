import { stat } from 'node:fs/promises'
import { readRegular } from '../../files/read-regular.ts'
import { Layout } from '../config/contest-layout.ts'
import { ownRecords } from '../config/refuse-linked-records.ts'
import { type Summary, summarySchema } from '../ranking/contest-summary.ts'
import { type ContestStatus, readStatus } from '../state/contest-state.ts'
import { standings } from '../state/judge-state.ts'

/** The maximum size of a summary.json, in bytes. */
const mostBytes = 16 * 1024 * 1024

/** A report on disk, and the status that it was made from. */
export interface CurrentReport {
  readonly summary: Summary
  readonly status: ContestStatus & { readonly judges: ReturnType<typeof standings> }
}

/**
 * Returns the report of a contest that no process works on; null if there is none, if its schema is another one, or if not all of its files
 * are newer than everything that it depends on.
 */
export async function currentReport(directory: string): Promise<CurrentReport | null> {
  const layout = new Layout(directory)
  try {
    if (!(await isNewest(layout))) return null
    const [read, status] = await Promise.all([readRegular(layout.summary, mostBytes), readStatus(layout)])
    if (!read.ok || status === null) return null
    const summary = summarySchema.parse(JSON.parse(read.bytes.toString('utf8')))
    const judges = summary.judges.map(({ name }) => name)
    return { summary, status: { ...status, judges: standings(status.tasks, judges) } }
  } catch {
    // A command that makes the report names the problem.
    return null
  }
}

/** Returns true if the report was written after everything that it depends on. Times in the same tick of the clock do not count as after. */
async function isNewest(layout: Layout): Promise<boolean> {
  const report = await Promise.all([layout.summary, layout.html].map(changed))
  const inputs = [layout.root, layout.config, layout.brief, layout.judgeBrief]
  for await (const each of ownRecords(layout))
    if (each !== layout.events && !each.startsWith(layout.report) && !each.startsWith(layout.consultations)) inputs.push(each)
  const times = await Promise.all(inputs.map(changed))
  // A report from the future would stay the newest file for as long.
  if (Math.max(...report) > Date.now()) return false
  return Math.min(...report) > times.reduce((newest, each) => Math.max(newest, each), 0)
}

const changed = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

import type * as z from 'zod'
import { PaddockError } from '../base/errors.ts'
import { Layout } from '../contest/config/contest-layout.ts'
import type { Summary } from '../contest/ranking/contest-summary.ts'
import { currentReport } from '../contest/report/current-report.ts'
import { reportAssets } from '../contest/report/page/assets.ts'
import type { standingSchema } from '../contest/result-parts.ts'
import { readRegular } from '../files/read-regular.ts'
import type { OwnCommand } from './own-command.ts'

/** Returns the policy for the report, which contains foreign text: only its own script runs, nothing is loaded, its origin is opaque. */
export const reportPolicy = (): string =>
  [
    "default-src 'none'",
    `script-src ${reportAssets().scriptSource}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ')

/** The largest report, in bytes: several times the size of one with all submissions. */
export const maxReportBytes = 128 * 1024 * 1024

/** The reports of contests that no process works on, from their files if those are current, else made by a command. */
export class ContestReports {
  readonly #command: OwnCommand
  readonly #making = new Map<string, Promise<Summary>>()

  constructor(command: OwnCommand) {
    this.#command = command
  }

  async summary(directory: string): Promise<Summary> {
    return (await currentReport(directory))?.summary ?? (await this.#make(directory))
  }

  /** Returns the report as a page. @throws PaddockError FILES_FAILED if it cannot be read */
  async page(directory: string): Promise<string> {
    const read = () => readRegular(new Layout(directory).html, maxReportBytes)
    if ((await currentReport(directory)) === null) await this.#make(directory)
    let page = await read()
    // The policy allows only the script of this version.
    if (page.ok && !page.bytes.includes(reportAssets().script)) page = await this.#make(directory).then(read)
    if (!page.ok) throw new PaddockError('FILES_FAILED', 'The report of this contest exists but cannot be read.', { hint: 'Try again' })
    return page.bytes.toString('utf8')
  }

  /** Returns the progress of a contest; null: not known. `isOver`: it has ended with a report, and no process works on it. */
  async standing(directory: string, isOver: boolean): Promise<z.input<typeof standingSchema> | null> {
    const current = () => currentReport(directory)
    const report = isOver ? ((await current()) ?? (await this.#make(directory).then(current, () => null))) : null
    if (report !== null) return { ...report.status, atWork: false }
    return await this.#command('contest status', ['--', directory]).catch(() => null)
  }

  /** Makes a report. Requests that come meanwhile wait for the same process. */
  #make(directory: string): Promise<Summary> {
    const made =
      this.#making.get(directory) ?? this.#command('contest report', ['--', directory]).finally(() => this.#making.delete(directory))
    this.#making.set(directory, made)
    return made
  }
}

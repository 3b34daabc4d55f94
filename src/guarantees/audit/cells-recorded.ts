import { verifyAudit } from '../../audit/verify-log.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { linesOf } from '../probe/raw-log.ts'

export const cellsRecorded: Guarantee = {
  id: 'cells-recorded',
  chapter: 'audit',
  claim:
    "The audit log records every cell's start (with the hash of its plan), its end and what was denied on its way out, in one hash chain.",
  mechanism:
    'The host process writes these lines, and writes the start before the cell starts. Each line has the SHA-256 of the one before it.',
  kind: 'structural',
  why: 'The log is written by another process, which the cell can neither see nor reach.',
  fails: [
    'If a cell floods the log, it records the outcome for the first 100,000 different hosts, and after the first 1,000 of these at most 1,000 per registrable domain. Everything else is counted by domain in `egress.unwritten` every ten seconds, which names at most 20 domains.',
    'Repeated events at one host are written 10,000 times at once and then 20 times a second; the rest is in the same counts.',
    'When the disk is full, events wait in memory and are eventually lost; the log records how many.',
    'Paddock is killed within milliseconds of a denial.',
  ],
  probe: async (bench) => {
    const word = bench.secret()
    const name = `${word}.example`
    const { result, report } = await bench.inside(
      async ({ dns }, given) =>
        dns.promises.lookup(given.name).then(
          () => 'answered',
          (error: NodeJS.ErrnoException) => error.code ?? '',
        ),
      { name },
    )
    const lines = linesOf(bench.auditDirectory, report.cell)
    const of = (kind: string): Readonly<Record<string, unknown>> | undefined => lines.find((each) => each.kind === kind)?.data
    if (of('cell.launch')?.['plan'] !== report.planHash)
      return broken('the start of a cell, with the hash of its plan, is not in the audit log')
    if (of('cell.end')?.['ending'] !== report.ending.kind) return broken('the end of a cell is not in the audit log')
    const asks = bench.egress !== 'off'
    if (asks && !lines.some((each) => each.kind.startsWith('egress.') && JSON.stringify(each.data).includes(name)))
      return broken(`a name that a cell requested (${result}) is not in the audit log`)
    const verdict = verifyAudit(bench.auditDirectory)
    if (!verdict.whole) return broken(`the log is not intact: ${verdict.problem?.message}`)
    return held(
      `a cell left ${lines.length} lines (${[...new Set(lines.map((each) => each.kind))].join(', ')}), with the hash of its plan; the chain of ${verdict.lines} lines is intact`,
    )
  },
}

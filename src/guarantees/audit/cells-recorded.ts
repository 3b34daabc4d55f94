import { verifyAudit } from '../../audit/verify.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { linesOf } from '../probe/raw-log.ts'

export const cellsRecorded: Guarantee = {
  id: 'cells-recorded',
  chapter: 'audit',
  claim:
    'The start of every cell, with the hash of its plan, its end and what was denied on its way out are in the audit log, in one chain.',
  mechanism: 'The host process writes them; the start before the cell starts. Each line has the SHA-256 of the one before it.',
  kind: 'structural',
  why: 'Nothing in the cell takes part: it happens in another process, which the cell neither sees nor reaches.',
  fails: [
    'Of a cell that floods it, the log has the first 100,000 different hosts with what became of them, and beyond the first 1,000 of these at most 1,000 below one registrable domain; all else it counts by domain, in `egress.unwritten` every ten seconds, where at most 20 domains are named.',
    'What happens again at a host is written 10,000 times at once and then 20 times a second; the rest is in the same counts.',
    'When the disk is full, events wait in memory and at last are lost; the log says how many.',
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
      return broken(`a name that a cell asked for (${result}) is not in the audit log`)
    const verdict = verifyAudit(bench.auditDirectory)
    if (!verdict.whole) return broken(`the log is not whole: ${verdict.problem?.message}`)
    return held(
      `a cell left ${lines.length} lines (${[...new Set(lines.map((each) => each.kind))].join(', ')}), with the hash of its plan; the chain of ${verdict.lines} lines is whole`,
    )
  },
}

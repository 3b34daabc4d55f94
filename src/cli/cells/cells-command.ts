import { exitCodes, PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { durationRule, formatDuration, formatSize, parseDuration } from '../../base/quantities.ts'
import { type CellRecords, openCells } from '../../host.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { table } from '../terminal/table.ts'

type CellRecord = Parameters<CellRecords['stop']>[0]

/** `paddock ps` */
export async function psCommand(): Promise<Answer<Result<'ps'>>> {
  const running = await cells().running()
  const now = Date.now()
  const rows = running.map(({ record, memoryBytes }) => [
    record.id,
    record.name ?? '–',
    record.project ?? '–',
    formatDuration(now - record.startedAt),
    record.egress ?? '–',
    memoryBytes === null ? '–' : formatSize(memoryBytes),
  ])
  return {
    data: {
      schemaVersion: 1,
      cells: running.map(({ record, memoryBytes }) => ({
        id: record.id,
        name: record.name ?? null,
        project: record.project ?? null,
        startedAt: new Date(record.startedAt).toISOString(),
        egress: record.egress ?? null,
        memoryBytes,
        pid: record.host?.pid ?? null,
      })),
    },
    ...(rows.length === 0
      ? { notes: ['no cell is running'] }
      : { lines: table(['ID', 'NAME', 'PROJECT', 'SINCE', 'EGRESS', 'MEMORY'], rows) }),
  }
}

/** `paddock logs` */
export async function logsCommand(id: string): Promise<Answer<Result<'logs'>>> {
  const all = cells()
  const record = await runningCell(id, all)
  if (record.terminal === true)
    throw new PaddockError('BAD_INPUT', `The program of cell ${record.id} has a terminal, whose output is not kept.`, {
      hint: `To see what the cell reached: paddock audit show ${record.id}`,
    })
  const output = all.output(record)?.toString('utf8') ?? ''
  return { data: { schemaVersion: 1, id: record.id, output }, lines: output === '' ? [] : output.replace(/\n$/, '').split('\n') }
}

/** `paddock stop` */
export async function stopCommand(id: string, options: { readonly grace: string }): Promise<Answer<Result<'stop'>>> {
  const graceMs = parseDuration(options.grace)
  if (graceMs === null) throw new PaddockError('BAD_INPUT', `--grace ${options.grace} is not a duration.`, { hint: `Give ${durationRule}` })
  const all = cells()
  const record = await runningCell(id, all)
  const isCleanedUp = await all.stop(record, graceMs)
  return {
    data: { schemaVersion: 1, id: record.id, isCleanedUp },
    notes: [
      isCleanedUp
        ? `cell ${record.id} has ended`
        : `cell ${record.id} has ended, but process ${record.host?.pid}, which runs it, has not cleaned up yet`,
    ],
    exitCode: isCleanedUp ? exitCodes.done : exitCodes.cannot,
  }
}

function cells(): CellRecords {
  return openCells(resolvePaths(process.env), process.env)
}

/** Returns the running cell with this id, or with the only one that starts with it. */
async function runningCell(id: string, all: CellRecords): Promise<CellRecord> {
  const running = (await all.running()).map((each) => each.record)
  const found = /^[0-9a-f]+$/.test(id) ? running.filter((each) => each.id.startsWith(id)) : []
  const [record] = found
  if (record === undefined)
    throw new PaddockError('NOT_FOUND', `No cell ${JSON.stringify(id)} is running.`, {
      hint: 'To list the running cells: paddock ps. What an ended one did: paddock audit show ID',
    })
  if (found.length > 1)
    throw new PaddockError('BAD_INPUT', `${JSON.stringify(id)} matches ${found.length} cells.`, {
      hint: `Give more characters: ${found
        .slice(0, 5)
        .map((each) => each.id)
        .join(', ')}`,
    })
  return record
}

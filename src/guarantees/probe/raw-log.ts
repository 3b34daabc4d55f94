import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AuditLine } from '../../audit/line.ts'

/** Returns the bytes of a log, from all of its files. The cells of many probes write to the log at the same time. */
export function rawLog(directory: string): Buffer {
  const files = readdirSync(directory).filter((each) => each.endsWith('.jsonl'))
  return Buffer.concat(files.map((each) => readFileSync(path.join(directory, each))))
}

/** Returns the lines of a log about one cell, in order. */
export function linesOf(directory: string, cell: string): readonly AuditLine[] {
  return rawLog(directory)
    .toString('utf8')
    .split('\n')
    .filter((each) => each.includes(cell))
    .map((each) => JSON.parse(each) as AuditLine)
    .filter((each) => each.cell === cell)
}

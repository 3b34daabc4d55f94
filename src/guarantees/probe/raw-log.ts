import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AuditLine } from '../../audit/line.ts'

/** The bytes of a log, all of its files together; written by cells of many probes at once. */
export function rawLog(directory: string): Buffer {
  const files = readdirSync(directory).filter((each) => each.endsWith('.jsonl'))
  return Buffer.concat(files.map((each) => readFileSync(path.join(directory, each))))
}

/** What a log has of one cell, in order. */
export function linesOf(directory: string, cell: string): readonly AuditLine[] {
  return rawLog(directory)
    .toString('utf8')
    .split('\n')
    .filter((each) => each.includes(cell))
    .map((each) => JSON.parse(each) as AuditLine)
    .filter((each) => each.cell === cell)
}

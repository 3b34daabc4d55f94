import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { verifyAudit } from '../../audit/verify-log.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'

export const tamperingFound: Guarantee = {
  id: 'tampering-found',
  chapter: 'audit',
  claim: 'paddock audit verify finds any line of the audit log that was changed, dropped, moved or repeated, and an end that was cut off.',
  mechanism:
    'Each line contains the SHA-256 of its own bytes and of the line before it. A file next to the log records which line is the newest.',
  kind: 'structural',
  why: 'Each hash covers everything written before it, so changing a line changes every hash from there on.',
  fails: [
    'Anyone with access to your account can rewrite the whole log with matching hashes. Keep a copy of the head somewhere else (paddock audit verify --head).',
  ],
  probe: async (bench) => {
    for (let each = 0; each < 2; each++) await bench.run(['true'])
    const whole = path.join(await bench.directory(), 'log')
    copyLog(bench.auditDirectory, whole)
    const before = verifyAudit(whole)
    if (!before.whole)
      return broken(`an untouched copy of the log is not intact (${before.problem?.message}), so the probe is inconclusive`)
    const change = (how: (lines: string[]) => readonly string[]): string => {
      const copy = `${whole}-changed`
      copyLog(whole, copy)
      const file = path.join(copy, 'audit.jsonl')
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
      writeFileSync(
        file,
        how(lines)
          .map((each) => `${each}\n`)
          .join(''),
      )
      const { problem } = verifyAudit(copy)
      rmSync(copy, { recursive: true })
      return problem?.kind ?? 'not found'
    }
    const middle = Math.floor(before.lines / 2)
    const found = {
      'a word changed': change((lines) => lines.with(middle, (lines[middle] ?? '').replace('"kind":"', '"kind":"x'))),
      'a value changed': change((lines) => lines.map((each) => each.replace('"posture":"L', '"posture":"X'))),
      'a line dropped': change((lines) => lines.toSpliced(middle, 1)),
      'two lines swapped': change((lines) => lines.with(middle, lines[middle + 1] ?? '').with(middle + 1, lines[middle] ?? '')),
      'a line repeated': change((lines) => lines.toSpliced(middle, 0, lines[middle] ?? '')),
      'the end cut off': change((lines) => lines.slice(0, -1)),
    }
    const missed = Object.entries(found).filter(([, kind]) => kind === 'not found')
    if (missed.length > 0) return broken(`not found in a copy of the log: ${missed.map(([what]) => what).join(', ')}`)
    return held(
      `in copies of a log of ${before.lines} lines: ${Object.entries(found)
        .map(([what, kind]) => `${what} (${kind})`)
        .join(', ')}`,
    )
  },
}

/** Copies the files that `verify` reads, without the writers' lock. */
function copyLog(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (each) => !path.basename(each).startsWith('lock') })
}

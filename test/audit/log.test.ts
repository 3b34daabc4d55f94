import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openAuditLog } from '../../src/audit/audit-log.ts'
import { newestLines } from '../../src/audit/read-log.ts'
import { verifyAudit } from '../../src/audit/verify-log.ts'
import { openKernelLock } from '../../src/files/kernel-lock.ts'
import { temporary } from '../support/temporary.ts'

const note = (event: number, more: Record<string, unknown> = {}) => ({ kind: 'test', cell: 'c0ffee', data: { event, ...more } })

test('events of cells and approvals are on the disk when the call returns, all others when the log is closed', async () => {
  await using at = await temporary()
  const log = openAuditLog(at.path)
  log.write(note(1))
  expect(newestLines(at.path, {}, 10).lines).toHaveLength(0)
  log.write({ kind: 'cell.launch', cell: 'c0ffee', data: {} })
  expect(newestLines(at.path, {}, 10).lines.map((each) => each.kind)).toEqual(['test', 'cell.launch'])
  log.write({ kind: 'approval.asked', data: {} })
  expect(newestLines(at.path, {}, 10).lines).toHaveLength(3)
  log.write(note(2))
  log.close()
  log.close()
  log.write(note(3))
  expect(newestLines(at.path, {}, 10).lines).toHaveLength(4)
  expect(verifyAudit(at.path)).toMatchObject({ whole: true, lines: 4, first: 1, head: { seq: 4 }, notes: [] })
  for (const file of ['audit.jsonl', 'head.json']) expect((await stat(at.at(file))).mode & 0o777).toBe(0o600)
})

test('no event is too much: not a cycle, not a bigint, not a megabyte, not a broken surrogate', async () => {
  await using at = await temporary()
  const log = openAuditLog(at.path)
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  log.write({ kind: 'test', data: cycle })
  log.write({ kind: 'test', data: { large: 10n } })
  log.write({ kind: 'test', data: { text: 'x'.repeat(1_000_000) } })
  log.write({ kind: 'test', data: { text: '\ud800","hash":"' } })
  log.write({ kind: 'test', data: { 'a\nb': '"}\n{"seq":9' } })
  log.close()
  expect(verifyAudit(at.path)).toMatchObject({ whole: true, lines: 5 })
  expect((await stat(at.at('audit.jsonl'))).size).toBeLessThan(10_000)
})

test('two logs of one process, and the next process, go on with one chain', async () => {
  await using at = await temporary()
  const [one, two] = [openAuditLog(at.path), openAuditLog(at.path)]
  for (let event = 0; event < 50; event++) (event % 2 === 0 ? one : two).write({ kind: 'cell.test', data: { event } })
  one.close()
  two.close()
  const three = openAuditLog(at.path)
  three.write(note(1))
  three.close()
  expect(verifyAudit(at.path)).toMatchObject({ whole: true, lines: 51, head: { seq: 51 } })
})

test('a lock that another keeps delays events and loses none', async () => {
  await using at = await temporary()
  const log = openAuditLog(at.path)
  log.write({ kind: 'cell.first', data: {} })
  const lock = openKernelLock(at.at('lock.db'))
  lock.alone(0, () => {
    for (let event = 0; event < 3_000; event++) log.write(note(event))
  })
  lock.close()
  log.close()
  expect(verifyAudit(at.path)).toMatchObject({ whole: true, lines: 3_001 })
})

test('a log whose lock is not a lock any more is read as it is', async () => {
  await using at = await temporary()
  const log = openAuditLog(at.path)
  log.write({ kind: 'cell.first', data: {} })
  log.close()
  await writeFile(at.at('lock.db'), 'overwritten by somebody '.repeat(200))
  expect(newestLines(at.path, {}, 10).lines.map((each) => each.kind)).toEqual(['cell.first'])
  expect(verifyAudit(at.path)).toMatchObject({ whole: true, lines: 1 })
})

test('events that cannot be written wait, within bounds; lost ones are counted and reported', async () => {
  await using at = await temporary()
  const troubles: string[] = []
  const log = openAuditLog(at.path, { onTrouble: (sentence) => troubles.push(sentence) })
  log.write({ kind: 'cell.first', data: {} })
  // With a directory in place of the head file, nothing can be written after the line that needs it.
  await rm(at.at('audit.jsonl'))
  await mkdir(at.at('audit.jsonl'))
  for (let event = 0; event < 70_000; event++) log.write(note(event))
  log.write({ kind: 'cell.lost', data: {} })
  await rm(at.at('audit.jsonl'), { recursive: true })
  log.close()
  expect(troubles).toHaveLength(1)
  expect(troubles[0]).toMatch(/^the audit log cannot be written \(.*\); events wait/)
  const { lines } = newestLines(at.path, {}, 100_000)
  const lost = lines.filter((each) => each.kind === 'audit.lost')
  expect(lost).toHaveLength(1)
  const kept = lines.filter((each) => each.kind === 'test').length
  expect(kept + Number(lost[0]?.data['events'])).toBe(70_001)
  expect(kept).toBeGreaterThan(60_000)
  // The first line was lost with its file, and the verification finds that.
  expect(verifyAudit(at.path)).toMatchObject({ whole: false, problem: { kind: 'dropped' } })
})

test('events that can never be written are reported at the end', async () => {
  await using at = await temporary()
  const troubles: string[] = []
  await mkdir(at.at('audit.jsonl'))
  const log = openAuditLog(at.path, { onTrouble: (sentence) => troubles.push(sentence) })
  log.write({ kind: 'cell.launch', data: {} })
  log.close()
  expect(troubles.at(-1)).toBe('1 events of the audit log could not be written and are lost')
})

test('a link in the place of the log is not followed', async () => {
  await using at = await temporary()
  await writeFile(at.at('target'), 'precious')
  symlinkSync(at.at('target'), at.at('audit.jsonl'))
  const log = openAuditLog(at.path)
  log.write({ kind: 'cell.launch', data: {} })
  log.close()
  expect(readFileSync(at.at('target'), 'utf8')).toBe('precious')
})

test('a log of before the chain is kept as it is, and said to be none', async () => {
  await using at = await temporary()
  writeFileSync(at.at('audit.jsonl'), '{"time":"2026-01-01T00:00:00.000Z","kind":"cell.launch","data":{}}\n')
  const log = openAuditLog(at.path)
  log.write({ kind: 'cell.launch', data: {} })
  log.close()
  const verdict = verifyAudit(at.path)
  expect(verdict).toMatchObject({ whole: true, lines: 2 })
  expect(verdict.notes).toHaveLength(1)
})

test('rotation keeps one chain; old files go, and the log says so', async () => {
  await using at = await temporary()
  const limits = { fileBytes: 4_000, files: 3 }
  const write = (from: number, to: number): void => {
    const log = openAuditLog(at.path, limits)
    for (let event = from; event < to; event++) log.write({ kind: 'cell.test', cell: 'c0ffee', data: { event } })
    log.close()
  }
  write(0, 30)
  expect(readdirSync(at.path).filter((each) => /^audit-\d+/.test(each)).length).toBeGreaterThan(1)
  expect(verifyAudit(at.path)).toMatchObject({ whole: true, first: 1, notes: [] })
  expect(newestLines(at.path, { kind: 'cell' }, 100).lines.map((each) => each.data['event'])).toEqual([...Array(30).keys()])
  const early = verifyAudit(at.path).head?.hash ?? ''
  expect(verifyAudit(at.path, early).whole).toBe(true)
  write(30, 200)
  expect(existsSync(at.at('audit-1.jsonl'))).toBe(false)
  expect(readdirSync(at.path).filter((each) => /^audit-\d+/.test(each))).toHaveLength(3)
  const verdict = verifyAudit(at.path)
  expect(verdict).toMatchObject({
    whole: true,
    notes: [expect.stringMatching(/^begins at line \d+ of the chain: earlier files were rotated out$/)],
  })
  expect(verifyAudit(at.path, 'f'.repeat(64))).toMatchObject({ whole: false, problem: { kind: 'replaced' } })
  const oldest =
    readdirSync(at.path)
      .filter((each) => /^audit-\d+/.test(each))
      .sort((a, b) => Number(/\d+/.exec(a)) - Number(/\d+/.exec(b)))[0] ?? ''
  await rm(at.at(oldest))
  expect(verifyAudit(at.path)).toMatchObject({ whole: false, problem: { kind: 'dropped', line: 1 } })
})

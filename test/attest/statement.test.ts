import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { signStatement } from '../../src/attest/dsse.ts'
import { makeStatement } from '../../src/attest/make-statement.ts'
import type { Statement } from '../../src/attest/statement-schema.ts'
import { verifyStatement } from '../../src/attest/verify-statement.ts'
import { openAuditLog } from '../../src/audit/audit-log.ts'
import type { AuditEvent } from '../../src/audit/event.ts'
import { temporary } from '../support/temporary.ts'

const [commit, made, hash] = ['1'.repeat(40), '2'.repeat(40), 'ab'.repeat(32)]
const job = 'j-0123456789abcdefghjk'

function launch(cell: string, name: string, more: AuditEvent['data'] = {}): AuditEvent {
  const data = { name, posture: 'L2', backend: 'bubblewrap', egress: 'allowlist', plan: hash, degraded: [], ...more }
  return { kind: 'cell.launch', cell, data }
}
const end = (cell: string, more: AuditEvent['data'] = {}): AuditEvent => ({
  kind: 'cell.end',
  cell,
  data: { ending: 'exited', code: 0, ...more },
})
const reached = (cell: string, host: string): AuditEvent => ({ kind: 'egress.allow', cell, data: { connection: 1, host, port: 443 } })

const agent = { agent: 'claude', version: '2.1', model: 'large', prompt: hash, project: '/p', commit }
const events: readonly AuditEvent[] = [
  launch('aa0000000001', 'run claude', agent),
  launch('aa0000000002', 'run command'),
  reached('aa0000000001', 'b.example'),
  reached('aa0000000002', 'c.example'),
  reached('aa0000000001', 'a.example'),
  reached('aa0000000001', 'a.example'),
  end('aa0000000001', { commit: made }),
  end('aa0000000002', { code: 3 }),
  launch('bb0000000001', `worker ${job}`, { ...agent, egress: 'public' }),
  { kind: 'egress.unwritten', cell: 'bb0000000001', data: { count: 7 } },
  end('bb0000000001'),
  launch('cc0000000001', 'run claude'),
  {
    kind: 'copy.applied',
    data: {
      ...{ copy: '0123abcd', project: '/p', base: commit, cells: ['aa0000000002'], hashes: { 'a/b': hash } },
      ...{ written: 1, deleted: 1, paths: ['a/b', 'c'], allowSecrets: true, committed: true, commit: made },
    },
  },
]

async function log() {
  const place = await temporary()
  const written = openAuditLog(place.path)
  for (const each of events) written.write(each)
  written.close()
  const make = (of: string): Promise<Statement> => makeStatement({ of, auditDirectory: place.path, version: '1.2.3' })
  return { make, file: place.at('audit.jsonl'), [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() }
}

test('a statement about a run names its commits, agent, prompt, plan, hosts and the end of the log', async () => {
  await using at = await log()
  const { subject, predicate } = await at.make('aa0000000001')
  expect(subject).toEqual([{ name: 'git', digest: { gitCommit: made } }])
  expect(predicate).toMatchObject({
    kind: 'run',
    id: 'aa0000000001',
    project: '/p',
    base: { gitCommit: commit },
    paddock: { version: '1.2.3' },
  })
  expect(predicate.cells).toMatchObject([
    {
      ...{ agent: { name: 'claude', version: '2.1' }, model: 'large', prompt: { sha256: hash }, plan: { sha256: hash }, ending: 'exited' },
      ...{ hostsReached: ['a.example:443', 'b.example:443'], hostsComplete: true, exitCode: 0 },
    },
  ])
  const last = JSON.parse(readFileSync(at.file, 'utf8').trim().split('\n').at(-1) ?? '')
  expect(predicate.auditLog).toEqual({ seq: last.seq, sha256: last.hash, time: last.time })
})

test('a run that made no commit is identified by the newest line about it in the log', async () => {
  await using at = await log()
  const { subject, predicate } = await at.make('aa0000000002')
  const line = JSON.parse(readFileSync(at.file, 'utf8').split('\n')[7] ?? '')
  expect(subject).toEqual([{ name: 'audit.jsonl#8', digest: { sha256: line.hash } }])
  expect(predicate.cells).toMatchObject([{ exitCode: 3, agent: null, prompt: null, hostsReached: ['c.example:443'] }])
})

test('a statement about an applied copy names the commit and the applied files', async () => {
  await using at = await log()
  const { subject, predicate } = await at.make('0123abcd')
  expect(subject).toEqual([
    { name: 'git', digest: { gitCommit: made } },
    { name: 'a/b', digest: { sha256: hash } },
  ])
  expect(predicate).toMatchObject({
    ...{ kind: 'apply', base: { gitCommit: commit }, cells: [{ cell: 'aa0000000002' }] },
    applied: { paths: 2, pathsInSubject: 1, overrides: ['allowSecrets'], submission: null },
  })
})

test('a statement about a job says if its hosts are not complete', async () => {
  await using at = await log()
  expect((await at.make(job)).predicate).toMatchObject({ kind: 'job', id: job, cells: [{ cell: 'bb0000000001', hostsComplete: false }] })
})

test('work that is unknown, ambiguous or running is refused, and so is everything after a change of the log', async () => {
  await using at = await log()
  for (const each of ['ffff', 'j-0123456789abcdefghj0', 'aa', 'no such'])
    await expect(at.make(each)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(at.make('aa00')).rejects.toMatchObject({ code: 'BAD_INPUT', message: '"aa00" matches 2 cells.' })
  await expect(at.make('cc0000000001')).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('has not ended') })
  writeFileSync(at.file, readFileSync(at.file, 'utf8').replace('a.example', 'x.example'))
  await expect(at.make('aa0000000001')).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('was changed') })
})

test('a check says in one sentence why a statement is not valid', async () => {
  await using at = await log()
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const statement = await at.make('aa0000000001')
  const signed = (value: unknown): string => JSON.stringify(signStatement(value, privateKey, publicKey))
  const check = (text: string, subject: string | null = null, key = publicKey) => verifyStatement(text, key, subject)
  expect(check(signed(statement))).toEqual({ valid: true, why: null, statement })
  expect(check(signed(statement), made)).toEqual({ valid: true, why: null, statement })
  expect(check(signed(statement), commit)).toEqual({ valid: false, why: `The statement is not about ${commit}.`, statement })
  const other = generateKeyPairSync('ed25519').publicKey
  expect(check(signed(statement), null, other).why).toMatch(/^The key [0-9a-f]{16} did not sign this envelope\.$/)
  expect(check('{').why).toBe('The file is not a DSSE envelope.')
  expect(check(signed({ ...statement, _type: 'x' })).why).toBe('The payload is not an in-toto statement of version 1.')
  expect(check(signed({ ...statement, predicateType: 'https://slsa.dev/provenance/v1' })).why).toContain('which Paddock does not make')
  expect(check(signed({ ...statement, subject: [] })).why).toBe('The statement lacks facts that Paddock writes, or has others.')
})

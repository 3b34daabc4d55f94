import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { both, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'

const passphrase = 'correct horse battery staple'
const canary = 'canary-value-77d1b0'

/** Returns the kind and data of the user's actions, oldest first. */
function deeds(stage: Stage): readonly (readonly [string, Record<string, unknown>])[] {
  const lines = readFileSync(path.join(stage.root, 'paddock/state/audit/audit.jsonl'), 'utf8').trim().split('\n')
  return lines
    .map((line) => JSON.parse(line) as { kind: string; data: Record<string, unknown> })
    .filter(({ kind }) => /^(?:copy|trust|vault)\./.test(kind))
    .map(({ kind, data }) => [kind, data] as const)
}

describe.each(both)('actions of the user are in the audit log, as %s', (who) => {
  test('trust, and revoking it; reading leaves no entry', async () => {
    using stage = makeStage(who)
    writeFileSync(path.join(stage.project, '.paddock.yaml'), 'schemaVersion: 1\nrun: {egress: {allow: [a.example]}}\n')
    stage.own()
    for (const each of [['trust', '--show'], ['trust'], ['untrust'], ['untrust']]) expect((await paddock(stage, each)).code).toBe(0)
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(deeds(stage)).toEqual([
      ['trust.given', { project: stage.project, sha256, before: 'unknown' }],
      ['trust.taken', { project: stage.project }],
    ])
    expect((await paddock(stage, ['audit', 'verify'])).stdout).toMatch(/^whole: 2 lines/)
  })

  test('taking changes over, with the leave that was given for it, and deleting a copy', async () => {
    using stage = makeStage(who)
    await inCell(stage, 'echo one > one; echo all: > Makefile; echo more > more', { args: ['--copy'] })
    const refused = await paddock(stage, ['apply'])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Nothing was applied')])
    expect(deeds(stage)).toEqual([])
    expect((await paddock(stage, ['apply', 'one'])).code).toBe(0)
    expect((await paddock(stage, ['apply', 'Makefile', '--run-later'])).code).toBe(0)
    expect((await paddock(stage, ['discard'])).code).toBe(0)
    const copy = expect.stringMatching(/^[0-9a-f]{8}$/)
    const { project } = stage
    const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
    const applied = { copy, project, written: 1, deleted: 0, committed: null, base: null, cells: [expect.stringMatching(/^[0-9a-f]{12}$/)] }
    expect(deeds(stage)).toEqual([
      ['copy.applied', { ...applied, paths: ['one'], hashes: { one: hashOf('one\n') } }],
      ['copy.applied', { ...applied, paths: ['Makefile'], hashes: { Makefile: hashOf('all:\n') }, runLater: true }],
      ['copy.discarded', { copy, project }],
    ])
  })

  test('actions on the vault are logged by name and host, never by value', async () => {
    using stage = makeStage(who)
    const vault = async (args: readonly string[], input = ''): Promise<void> => {
      const ran = await paddock(stage, ['vault', ...args], { input })
      expect([ran.code, args, ran.stderr]).toEqual([0, args, ran.stderr])
    }
    const out = path.join(stage.root, 'home/plain')
    try {
      await vault(['init'], `${passphrase}\n`)
      await vault(['unlock'], `${passphrase}\n`)
      await vault(['set', 'KEY', '--host', 'api.example.com'], canary)
      await vault(['list'])
      await vault(
        ['export', '--to', out, '--recipient', 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'],
        `${passphrase}\n`,
      )
      await vault(['rm', 'KEY'])
    } finally {
      await vault(['lock'])
    }
    await vault(['lock'])
    expect(deeds(stage)).toEqual([
      ['vault.made', { kind: 'passphrase' }],
      ['vault.unlocked', { until: expect.stringMatching(/^\d{4}-.*Z$/), restored: false }],
      ['vault.set', { name: 'KEY', hosts: ['api.example.com'] }],
      ['vault.exported', { to: out, entries: 1, lockedBy: 'recipient' }],
      ['vault.removed', { name: 'KEY' }],
      ['vault.locked', {}],
    ])
    expect(readFileSync(path.join(stage.root, 'paddock/state/audit/audit.jsonl'), 'utf8')).not.toContain(canary)
  })
})

test('a deed that cannot be put into the audit log is done all the same, and that is reported', async () => {
  using stage = makeStage(both[0] ?? 'user')
  mkdirSync(path.join(stage.root, 'paddock/state'), { recursive: true })
  writeFileSync(path.join(stage.root, 'paddock/state/audit'), '')
  stage.own()
  const ran = await paddock(stage, ['vault', 'init'], { input: `${passphrase}\n` })
  expect([ran.code, ran.stderr]).toEqual([
    0,
    expect.stringMatching(/the audit log cannot be written \(EEXIST.*\), so vault\.made is not in it\n.*is created/),
  ])
  const shown = await paddock(stage, ['audit', 'tail'])
  expect([shown.code, shown.stderr]).toEqual([
    125,
    expect.stringMatching(/^paddock: FILES_FAILED: The audit log in .* cannot be read: ENOTDIR.*\n {2}hint: /),
  ])
})

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock } from '../../support/cli.ts'
import { putLogin } from '../../support/host-login.ts'

const canaries = { access: 'canary-access-of-claude', refresh: 'canary-refresh-of-claude', id: 'canary.id.token' }
const later = new Date(Date.now() + 30 * 86_400_000)

describe.each(everyone)('paddock credentials, as %s', (who) => {
  test('list: what there is, and no value', async () => {
    using stage = makeStage(who)
    const file = putLogin(stage.home, 'claude', { ...canaries, expiresAt: new Date(Date.now() - 1_000) })
    putLogin(stage.home, 'opencode', { ...canaries, expiresAt: later })
    stage.own()
    const env = { OPENAI_API_KEY: 'canary-key-of-openai' }
    const table = await paddock(stage, ['credentials', 'list'], { env })
    expect([table.code, table.stderr]).toEqual([0, ''])
    expect(table.stdout).toMatch(/^claude +subscription +renews itself +- +a placeholder +\S+\.credentials\.json$/m)
    expect(table.stdout).toMatch(/^opencode\/groq +key +no expiry known/m)
    expect(table.stdout).toMatch(/^codex +key +no expiry known +- +a placeholder, with --env OPENAI_API_KEY +\$OPENAI_API_KEY$/m)
    const json = await paddock(stage, ['credentials', 'list', '--json'], { env })
    const { schemaVersion, credentials } = JSON.parse(json.stdout) as { schemaVersion: number; credentials: Record<string, unknown>[] }
    expect(schemaVersion).toBe(1)
    expect(credentials.find((each) => each['agent'] === 'claude')).toMatchObject({
      kind: 'subscription',
      state: 'renewable',
      source: { kind: 'file', path: file },
      problem: null,
    })
    expect(table.stdout + json.stdout).not.toContain('canary')
  })

  test('check: exits 1 with one sentence and the fix for what is of no use', async () => {
    using stage = makeStage(who)
    const good = putLogin(stage.home, 'codex', { ...canaries, expiresAt: later })
    stage.own()
    expect((await paddock(stage, ['credentials', 'check'])).code).toBe(0)
    writeFileSync(good, '{"tokens":{"access_token":"canary-cut')
    putLogin(stage.home, 'claude', { ...canaries, refresh: '', expiresAt: new Date(Date.now() - 7_200_000) })
    stage.own()
    const { code, stdout, stderr } = await paddock(stage, ['credentials', 'check'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^codex +- +unusable/m)
    expect(stderr).toContain(
      `paddock: ${good} is cut off, or is not the JSON that it should be; Paddock did not change it. (Run: codex login)`,
    )
    expect(stderr).toContain('paddock: The claude login expired 2 h 00 min ago. (Run: claude /login)')
    expect(stdout + stderr).not.toContain('canary')
    const json = await paddock(stage, ['credentials', 'check', '--json'])
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, renewals: [] })
  })

  test('nothing at all', async () => {
    using stage = makeStage(who)
    expect(await paddock(stage, ['credentials', 'check'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'paddock: no agent is logged in on this machine, and none of their variables is set\n',
    })
    expect(path.isAbsolute(stage.home)).toBe(true)
  })
})

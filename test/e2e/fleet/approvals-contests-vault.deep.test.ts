import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ordinary, paddock } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

const passphrase = 'correct horse battery staple'
const secret = 'canary-value-77f0aa'

describe.each(ordinary)('routes about the machine, as %s', (who) => {
  let fleet: FleetServer
  beforeAll(async () => {
    fleet = await startFleet(who)
  })
  afterAll(async () => {
    await paddock(fleet.stage, ['vault', 'lock'])
    await fleet[Symbol.asyncDispose]()
  })
  const codeOf = ({ response, error }: { readonly response: Response; readonly error?: unknown }) => [
    response.status,
    (error as { code?: string } | undefined)?.code,
  ]

  test('a question of a cell is listed and answered; only an owner may answer for always', async () => {
    const manifest = {
      name: 'asks',
      agent: 'command',
      command: ['sh', '-c', 'curl -sS -m 60 http://a.test:8080/ || true; echo over'],
      egress: { ask: ['a.test:8080'] },
    }
    await fleet.api.POST('/api/v1/agents', { body: { manifest } })
    const { data: job } = await fleet.api.POST('/api/v1/jobs', { body: { agent: 'asks', labels: [], prompt: 'ask' } })
    let open: readonly { readonly id: string }[] = []
    while (open.length === 0) {
      await setTimeout(50)
      open = (await fleet.api.GET('/api/v1/approvals')).data?.open ?? []
    }
    const params = { path: { approval: open[0]?.id ?? '' } }
    const operator = await fleet.token('operator')
    const answered = await fetch(`${fleet.url}/api/v1/approvals/${params.path.approval}/answer`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
      body: JSON.stringify({ allowed: true, scope: 'always' }),
    })
    expect(answered.status).toBe(403)
    expect((await fleet.api.GET('/api/v1/inbox')).data?.items).toMatchObject([
      { kind: 'egress', id: params.path.approval, agent: 'asks', job: job?.id, text: 'asks asks: connect to a.test:8080' },
    ])
    const command = (words: readonly string[]) => paddock(fleet.stage, [...words, '--data', fleet.data])
    expect((await command(['inbox'])).stdout).toMatch(
      /^KIND +LEFT +WHAT TO DO +WHAT\negress +\d+ s +paddock answer \w+ allow, or deny +asks asks: connect to a\.test:8080\n$/,
    )
    expect((await command(['answer', params.path.approval, 'maybe'])).code).toBe(2)
    const denied = await command(['answer', params.path.approval, 'deny'])
    expect([denied.code, denied.stderr]).toEqual([0, 'paddock: denied (once)\n'])
    expect(codeOf(await fleet.api.POST('/api/v1/approvals/{approval}/answer', { params, body: { allowed: true, scope: 'once' } }))[0]).toBe(
      404,
    )
    while ((await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: job?.id ?? '' } } })).data?.endedAt === null)
      await setTimeout(50)
  })

  test('the vault is unlocked, filled, emptied and locked, and no value comes back', async () => {
    const said: string[] = []
    const note = <T extends { readonly data?: unknown; readonly error?: unknown }>(answer: T): T => {
      said.push(JSON.stringify(answer.data ?? answer.error))
      return answer
    }
    expect((await paddock(fleet.stage, ['vault', 'init'], { input: `${passphrase}\n` })).code).toBe(0)
    expect(codeOf(note(await fleet.api.GET('/api/v1/vault')))).toEqual([423, 'VAULT_LOCKED'])
    const unlock = (text: string) => fleet.api.POST('/api/v1/vault/unlock', { body: { passphrase: text, for: '1h' } })
    expect(codeOf(note(await unlock('wrong horse')))).toEqual([403, 'WRONG_PASSPHRASE'])
    expect(codeOf(note(await unlock('two\nlines')))).toEqual([400, 'BAD_INPUT'])
    expect(note(await unlock(passphrase)).data?.until).toMatch(/^20/)
    const params = { path: { name: 'API_KEY' } }
    expect(codeOf(note(await fleet.api.PUT('/api/v1/vault/{name}', { params, body: { value: secret } })))).toEqual([400, 'BAD_INPUT'])
    const set = note(await fleet.api.PUT('/api/v1/vault/{name}', { params, body: { value: secret, hosts: ['api.example.com'] } }))
    expect(set.data).toMatchObject({ name: 'API_KEY', hosts: ['api.example.com'] })
    expect(note(await fleet.api.GET('/api/v1/vault')).data?.items).toMatchObject([{ name: 'API_KEY', bytes: secret.length }])
    expect(note(await fleet.api.DELETE('/api/v1/vault/{name}', { params })).data).toMatchObject({ removed: 'API_KEY' })
    expect(codeOf(note(await fleet.api.DELETE('/api/v1/vault/{name}', { params })))[0]).toBe(404)
    expect(note(await fleet.api.POST('/api/v1/vault/lock')).data).toMatchObject({ locked: true })
    expect(codeOf(note(await fleet.api.GET('/api/v1/vault')))).toEqual([423, 'VAULT_LOCKED'])
    const audit = readFileSync(path.join(fleet.stage.root, 'paddock/state/audit/audit.jsonl'), 'utf8')
    for (const text of [said.join('\n'), audit]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(passphrase)
    }
    expect(audit).toContain('"fleet.vault"')
  })

  test('credentials have names and health, the audit log is read and whole', async () => {
    expect((await fleet.api.GET('/api/v1/credentials')).data?.items).toEqual([])
    const { data } = await fleet.api.GET('/api/v1/audit', { params: { query: { kind: 'fleet.agent', limit: 1 } } })
    expect(data?.items).toMatchObject([{ kind: 'fleet.agent', actor: 't1' }])
    expect(codeOf(await fleet.api.GET('/api/v1/audit', { params: { query: { kind: 'nothing.such' } } }))).toEqual([400, 'BAD_INPUT'])
    expect((await fleet.api.GET('/api/v1/audit/verify')).data).toMatchObject({ whole: true })
    expect((await fleet.api.GET('/api/v1/guarantees')).data).toEqual({ state: 'never', startedAt: null, problem: null, result: null })
  })

  test('a contest of a listed directory outlives the server, reports, and can be cancelled and gone on with', async () => {
    const start = (directory: string) => fleet.api.POST('/api/v1/contests', { body: { directory, retry: false } })
    const elsewhere = path.join(fleet.stage.root, 'elsewhere')
    expect(codeOf(await start(elsewhere))).toEqual([403, 'NOT_ALLOWED'])
    const contest = path.join(fleet.stage.project, 'contest')
    mkdirSync(contest)
    const yaml = (seconds: number): string =>
      [
        'schemaVersion: 1',
        'name: small',
        'participants:',
        '  - { name: one, agent: command, command: [sh, -c, "sleep 1; echo 1 > out.txt"] }',
        `  - { name: two, agent: command, command: [sh, -c, "sleep ${seconds}; echo 2 > out.txt"] }`,
        'checks:',
        '  - { name: there, command: [test, -f, /submission/out.txt] }',
        '',
      ].join('\n')
    writeFileSync(path.join(contest, 'contest.yaml'), yaml(600))
    writeFileSync(path.join(contest, 'BRIEF.md'), 'Write out.txt.\n')
    fleet.stage.own()
    const { data: first, error } = await start(contest)
    expect(error).toBeUndefined()
    const params = { path: { contest: first?.id ?? '' } }
    const now = async () => (await fleet.api.GET('/api/v1/contests/{contest}', { params })).data
    expect(codeOf(await start(contest))).toEqual([409, 'CONFLICT'])
    while (JSON.stringify((await now())?.status).includes('"one"') === false) await setTimeout(100)
    await fleet.replace()
    expect((await now())?.state).toBe('running')
    expect(codeOf(await fleet.api.DELETE('/api/v1/contests/{contest}', { params }))).toEqual([409, 'CONFLICT'])
    expect(codeOf(await fleet.api.GET('/api/v1/contests/{contest}/report', { params }))).toEqual([409, 'CONFLICT'])
    expect((await fleet.api.POST('/api/v1/contests/{contest}/cancel', { params })).response.status).toBe(202)
    while ((await now())?.state === 'running') await setTimeout(50)
    expect(await now()).toMatchObject({ state: 'cancelled', problem: expect.any(String) })
    expect(codeOf(await fleet.api.POST('/api/v1/contests/{contest}/cancel', { params }))).toEqual([409, 'CONFLICT'])
    expect((await fleet.api.DELETE('/api/v1/contests/{contest}', { params })).response.status).toBe(204)
    expect(codeOf(await fleet.api.GET('/api/v1/contests/{contest}', { params }))).toEqual([404, 'NOT_FOUND'])
  })
})

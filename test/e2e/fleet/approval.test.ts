import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, apiClient } from '../../../src/client/api-client.ts'
import { everyone, paddock } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

const pin = 'h.example:1=10.0.0.1:1'
const yaml = (name: string, egress: string, more = '') =>
  `{name: ${name}, agent: command, command: [cat], egress: {policy: allowlist, allow: [${egress}]}${more}}`

describe.each(everyone)('a manifest of an operator that asks for more, as %s', (who) => {
  let fleet: FleetServer
  let secret = ''
  beforeAll(async () => {
    fleet = await startFleet(who)
    secret = await fleet.token('operator')
  })
  afterAll(() => fleet[Symbol.asyncDispose]())

  const operator = (): ApiClient => apiClient(fleet.url, (request) => fetch(request), secret)
  const shown = async (agent: string) => (await fleet.api.GET('/api/v1/agents/{agent}', { params: { path: { agent } } })).data
  const edit = async (api: ApiClient, agent: string, text: string) => {
    const version = (await shown(agent))?.version
    const params = { path: { agent }, header: { 'if-match': `"${version}"` } }
    return (await api.PUT('/api/v1/agents/{agent}', { params, body: { yaml: text } })).data
  }
  const job = async (agent: string): Promise<string> =>
    (await operator().POST('/api/v1/jobs', { body: { agent, labels: [], prompt: 'x' } })).data?.id ?? ''
  const state = async (id: string) => (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data?.state
  const run = (...words: string[]) => paddock(fleet.stage, [...words, '--data', fleet.data])

  test('waits for an owner, and neither jobs nor terminals of a new agent start before', async () => {
    const made = (await operator().POST('/api/v1/agents', { body: { yaml: yaml('fresh', `'${pin}'`) } })).data
    expect(made).toMatchObject({ isApproved: false, state: 'stopped', waiting: { asks: [`egress: ${pin}`] } })
    const first = await job('fresh')
    const params = { params: { path: { agent: 'fresh' } } }
    const opened = await operator().POST('/api/v1/agents/{agent}/sessions', { ...params, body: { command: ['sh'] } as never })
    expect([opened.response.status, opened.error?.detail]).toEqual([403, 'An owner has not approved the manifest of fresh.'])
    const own = await operator().POST('/api/v1/agents/{agent}/approve', { ...params, body: { version: 1, allowed: true } })
    expect(own.response.status).toBe(403)
    const { data: inbox } = await fleet.api.GET('/api/v1/inbox')
    expect(inbox?.items).toMatchObject([{ kind: 'approval', agent: 'fresh', hint: 'paddock agent show fresh' }])
    expect((await run('agent', 'show', 'fresh')).stdout).toContain(
      `because it asks for\n  egress: ${pin}\n  paddock agent approve fresh 1, or with --refuse\n`,
    )
    const other = await run('agent', 'approve', 'fresh', '2')
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('No version 2 of the manifest of fresh waits for an approval.')])
    await fleet.replace()
    expect([await state(first), (await shown('fresh'))?.isApproved]).toEqual(['queued', false])
    expect((await run('agent', 'approve', 'fresh', '1')).stdout).toBe('Version 1 of fresh is approved.\n')
    await expect.poll(() => state(first)).toBe('done')
  })

  test('is not used by an agent that was approved before, and can be refused', async () => {
    await operator().POST('/api/v1/agents', { body: { yaml: yaml('known', '') } })
    expect(await edit(operator(), 'known', yaml('known', `'${pin}'`, ', notes: new'))).toMatchObject({
      isApproved: true,
      version: 2,
      manifest: { egress: { allow: [] } },
      waiting: { manifest: { egress: { allow: [pin] } } },
    })
    const one = await job('known')
    await expect.poll(() => state(one)).toBe('done')
    expect((await run('agent', 'approve', 'known', '2', '--refuse')).stdout).toBe('Version 2 of known is refused.\n')
    expect(await shown('known')).toMatchObject({ waiting: null, manifest: { egress: { allow: [] } } })
  })

  test('asks once: what an owner approved or saved is not asked again, and each new thing is', async () => {
    await fleet.api.POST('/api/v1/agents', { body: { yaml: yaml('owned', `'${pin}'`) } })
    expect(await edit(operator(), 'owned', yaml('owned', `'${pin}', other.example`))).toMatchObject({ waiting: null, version: 2 })
    const second = await edit(operator(), 'owned', yaml('owned', `'${pin}', 'i.example:1=10.0.0.2:1'`))
    expect(second?.waiting?.asks).toEqual(['egress: i.example:1=10.0.0.2:1'])
    // A save without asks replaces the waiting manifest.
    expect(await edit(operator(), 'owned', yaml('owned', ''))).toMatchObject({ waiting: null, manifest: { egress: { allow: [] } } })
    const viewer = apiClient(fleet.url, (request) => fetch(request), await fleet.token('viewer'))
    await edit(operator(), 'owned', yaml('owned', `'${pin}'`))
    const { data } = await viewer.GET('/api/v1/agents/{agent}', { params: { path: { agent: 'owned' } } })
    expect(data?.waiting?.asks).toEqual(['egress'])
  })

  test('waits for a level below L2, whose cells see the home and no state of the fleet, and is refused for one that cannot be built', async () => {
    const look = `cat > /dev/null; test -f "$HOME/marker" && test ! -e "$HOME/../paddock/state" && test ! -e ${path.join(fleet.data, 'fleet.db')}`
    const at = (level: string): string => JSON.stringify({ name: 'low', agent: 'command', command: ['sh', '-c', look], posture: level })
    writeFileSync(path.join(fleet.stage.home, 'marker'), '')
    fleet.stage.own()
    const unbuilt = await operator().POST('/api/v1/agents', { body: { yaml: at('L3') } })
    expect(unbuilt.error?.detail).toBe('posture: cells of L3 cannot be built on this machine.')
    const unknown = await operator().POST('/api/v1/agents', { body: { yaml: at('L7') } })
    expect(unknown.error?.detail).toContain('posture must be one of L0, L1, L2, L3, L4, L5')
    const made = (await operator().POST('/api/v1/agents', { body: { yaml: at('L1') } })).data
    expect(made).toMatchObject({ isApproved: false, waiting: { asks: ['posture: L1'] } })
    expect((await run('agent', 'approve', 'low', '1')).stdout).toBe('Version 1 of low is approved.\n')
    const one = await job('low')
    await expect.poll(() => state(one)).toBe('done')
    const log = await paddock(fleet.stage, ['audit', 'tail', '--kind', 'cell.launch', '--json'])
    expect(log.stdout).toContain('"posture":"L1"')
  })

  test('does not wait for what the configuration lists', async () => {
    const config = path.join(fleet.stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml')
    const before = readFileSync(config, 'utf8')
    writeFileSync(config, before.replace('fleet:\n', `fleet:\n  credentials: ['egress: ${pin}']\n`))
    await fleet.replace()
    const made = (await operator().POST('/api/v1/agents', { body: { yaml: yaml('listed', `'${pin}'`) } })).data
    expect(made).toMatchObject({ isApproved: true, waiting: null })
    const more = (await operator().POST('/api/v1/agents', { body: { yaml: yaml('unlisted', `'j.example:1=10.0.0.3:1'`) } })).data
    expect(more).toMatchObject({ isApproved: false, waiting: { asks: ['egress: j.example:1=10.0.0.3:1'] } })
  })
})

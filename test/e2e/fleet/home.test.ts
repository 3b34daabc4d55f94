import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiClient } from '../../../src/client/api-client.ts'
import { everyone } from '../../support/cli.ts'
import { endOf, jobIn } from '../../support/fleet-job.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

describe.each(everyone)('the home of an agent of a fleet, as %s', (who) => {
  let fleet: FleetServer
  beforeAll(async () => {
    fleet = await startFleet(who)
    const command = ['sh', '-c', 'read -r script; eval "$script"']
    await fleet.api.POST('/api/v1/agents', { body: { manifest: { name: 'sh', agent: 'command', command, egress: { policy: 'off' } } } })
  })
  afterAll(() => fleet[Symbol.asyncDispose]())
  const owner = async (script: string) => jobIn(fleet, 'sh', script)
  const operators = async () => apiClient(fleet.url, fetch, await fleet.token('operator'))

  test('what the job of another left acts in no job of an owner; what an owner set up acts in both', async () => {
    const api = await operators()
    const operator = (script: string) => jobIn({ api }, 'sh', script)
    expect(await owner('echo of the owner > ~/.npmrc; mkdir -p ~/.cache && echo x > ~/.cache/x')).toMatchObject({ state: 'done' })
    expect(await operator('cat ~/.npmrc; echo planted > ~/.gitconfig; echo planted > ~/.npmrc')).toMatchObject({
      state: 'done',
      result: { text: 'of the owner' },
    })
    const seen = await owner('echo $(cat ~/.npmrc ~/.cache/x) $(test -e ~/.gitconfig || echo clean)')
    expect(seen).toMatchObject({ state: 'done', result: { text: 'of the owner x clean' } })
    expect(seen.result?.notes.join('\n')).toMatch(/set aside in the private home, because runs with other rights wrote it: ~\/\.gitconfig/)
    expect(await owner('cat ~/.npmrc')).toMatchObject({ result: { text: 'of the owner', notes: [] } })
    expect(await operator('echo $(cat ~/.gitconfig ~/.npmrc)')).toMatchObject({ result: { text: 'planted planted' } })
  })

  test('a prompt that an operator changed is no longer that of an owner', async () => {
    const api = await operators()
    const first = await fleet.api.POST('/api/v1/jobs', { body: { agent: 'sh', labels: [], prompt: 'sleep 5' } })
    const second = await fleet.api.POST('/api/v1/jobs', { body: { agent: 'sh', labels: [], prompt: 'echo unchanged' } })
    const id = second.data?.id ?? ''
    const changed = await api.PATCH('/api/v1/jobs/{job}', { params: { path: { job: id } }, body: { prompt: 'echo changed > ~/.profile' } })
    expect(changed.response.status).toBe(200)
    await endOf(fleet, first.data?.id ?? '')
    expect(await endOf(fleet, id)).toMatchObject({ state: 'done' })
    expect(await owner('test ! -e ~/.profile && echo clean')).toMatchObject({ result: { text: 'clean' } })
  })

  test('a job waits while a terminal of another is open in its home', async () => {
    const api = await operators()
    const opened = await fleet.api.POST('/api/v1/agents/{agent}/sessions', {
      params: { path: { agent: 'sh' } },
      body: { command: ['sh', '-c', 'sleep 1000'], size: { columns: 80, rows: 24 } },
    })
    const session = opened.data?.id ?? ''
    expect(await owner('echo too')).toMatchObject({ result: { text: 'too' } })
    const { data: job } = await api.POST('/api/v1/jobs', { body: { agent: 'sh', labels: [], prompt: 'echo later' } })
    const id = job?.id ?? ''
    for (;;) {
      const { data } = await api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })
      if (data?.state === 'waiting') break
      await setTimeout(50)
    }
    await fleet.api.DELETE('/api/v1/sessions/{session}', { params: { path: { session } } })
    expect(await endOf({ api }, id)).toMatchObject({ state: 'done', result: { text: 'later' } })
  })
})

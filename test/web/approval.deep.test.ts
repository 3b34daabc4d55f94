import { expect, test } from 'vitest'
import { apiClient } from '../../src/client/api-client.ts'
import { faultsOf } from '../support/browser.ts'
import { openFleetPages } from '../support/fleet-pages.ts'

const yaml = (allow: string) => `{name: asker, agent: command, command: [cat], egress: {policy: allowlist, allow: [${allow}]}}`

test('an owner approves the manifest of an operator on its page, where the operator sees only that it waits', async () => {
  await using here = await openFleetPages()
  const { fleet, browser } = here
  await fleet.api.POST('/api/v1/agents', { body: { yaml: yaml('') } })
  const operator = apiClient(fleet.url, (request) => fetch(request), await fleet.token('operator'))
  const params = { path: { agent: 'asker' }, header: { 'if-match': '"1"' } }
  await operator.PUT('/api/v1/agents/{agent}', { params, body: { yaml: yaml("'h.example:1=10.0.0.1:1'") } })
  await using owner = await browser.signedIn()
  await using other = await browser.signedIn('operator')
  await owner.to('/inbox')
  await owner.page.getByRole('heading', { name: 'A manifest of asker is waiting for an owner' }).waitFor()
  expect(await faultsOf(owner.page, 'inbox-approval')).toEqual([])
  for (const each of [owner, other]) {
    await each.to('/agents/asker/manifest')
    await each.page.getByText('egress: h.example:1=10.0.0.1:1', { exact: true }).waitFor()
    await each.page.getByText('the agent works with the manifest below').waitFor()
  }
  expect(await faultsOf(owner.page, 'manifest-waits')).toEqual([])
  const approve = ({ page }: typeof owner) => page.getByRole('button', { name: 'Approve version 2' })
  expect(await approve(other).count()).toBe(0)
  await approve(owner).click()
  for (const each of [owner, other]) await each.page.getByText('Version 2, saved by').waitFor({ state: 'detached' })
  expect((await fleet.api.GET('/api/v1/agents/{agent}', { params: { path: { agent: 'asker' } } })).data).toMatchObject({
    waiting: null,
    manifest: { egress: { allow: ['h.example:1=10.0.0.1:1'] } },
  })
  expect([...owner.complaints, ...other.complaints]).toEqual([])
})

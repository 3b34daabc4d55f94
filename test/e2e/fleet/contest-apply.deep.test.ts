import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { everyone, paddock } from '../../support/cli.ts'
import { startFleet } from '../../support/fleet-server.ts'

test.each(everyone)('over the API the work of a participant is reviewed, applied and taken back, as %s', async (who) => {
  await using fleet = await startFleet(who)
  const shop = path.join(fleet.stage.root, 'shop')
  mkdirSync(shop)
  writeFileSync(path.join(shop, 'greeting.txt'), 'hello\n')
  fleet.stage.own()
  const contest = path.join(fleet.stage.project, 'greeting')
  expect((await paddock(fleet.stage, ['contest', 'new', contest, '--from-project', shop])).code).toBe(0)
  const line = 'cat > /dev/null; echo welcome > greeting.txt; echo x > .envrc'
  writeFileSync(
    path.join(contest, 'contest.yaml'),
    JSON.stringify({
      schemaVersion: 1,
      name: 'greeting',
      start: 'start',
      participants: [{ name: 'one', agent: 'command', command: ['sh', '-c', line] }],
      checks: [{ name: 'there', command: ['test', '-f', '/submission/greeting.txt'] }],
    }),
  )
  writeFileSync(path.join(contest, 'BRIEF.md'), 'Change the greeting.\n')
  fleet.stage.own()
  const { data: begun } = await fleet.api.POST('/api/v1/contests', { body: { directory: contest, retry: false } })
  const params = { path: { contest: begun?.id ?? '' } }
  while ((await fleet.api.GET('/api/v1/contests/{contest}', { params })).data?.state === 'running') await setTimeout(50)

  const query = { participant: 'one' }
  const review = await fleet.api.GET('/api/v1/contests/{contest}/changes', { params: { ...params, query } })
  expect(review.data?.changes).toMatchObject([
    { path: '.envrc', kind: 'added', runsLater: expect.any(String) },
    { path: 'greeting.txt', kind: 'modified', added: 1, removed: 1 },
  ])
  const apply = (body: object) =>
    fleet.api.POST('/api/v1/contests/{contest}/apply', {
      params,
      body: { participant: 'one', runLater: false, allowSecrets: false, ...body },
    })
  expect((await apply({})).response.status).toBe(403)
  expect(readFileSync(path.join(shop, 'greeting.txt'), 'utf8')).toBe('hello\n')
  expect((await apply({ participant: 'nobody' })).response.status).toBe(404)
  expect((await apply({ paths: ['greeting.txt'] })).data).toMatchObject({ project: shop, written: ['greeting.txt'], left: 1 })
  expect([readFileSync(path.join(shop, 'greeting.txt'), 'utf8'), existsSync(path.join(shop, '.envrc'))]).toEqual(['welcome\n', false])
  expect((await fleet.api.POST('/api/v1/contests/{contest}/undo', { params })).data).toMatchObject({ written: ['greeting.txt'] })
  expect(readFileSync(path.join(shop, 'greeting.txt'), 'utf8')).toBe('hello\n')

  // Viewers cannot read changes over the API: they can only look at contests.
  const viewer = await fleet.token('viewer')
  const asViewer = await fetch(`${fleet.url}/api/v1/contests/${params.path.contest}/changes?participant=one`, {
    headers: { authorization: `Bearer ${viewer}` },
  })
  expect(asViewer.status).toBe(403)
})

import path from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/fleet/store/database.ts'
import { eventLog } from '../../src/fleet/store/event-log.ts'
import { pauseStore } from '../../src/fleet/store/pause-store.ts'
import { faultsOf } from '../support/browser.ts'
import { openFleetPages } from '../support/fleet-pages.ts'

test('the page of a paused fleet shows the pause to everyone, and an owner ends it there', async () => {
  await using here = await openFleetPages()
  const { fleet, browser } = here
  await fleet.kill('SIGTERM')
  using database = openDatabase(path.join(fleet.data, 'fleet.db'), fleet.data)
  pauseStore(database, eventLog(database)).begin({ jobs: true })
  fleet.stage.own()
  await fleet.start()
  await using owner = await browser.signedIn()
  await using viewer = await browser.signedIn('viewer')
  const banner = ({ page }: typeof owner) => page.getByRole('region', { name: 'Paused' })
  for (const each of [owner, viewer]) {
    await each.to('/fleet')
    await banner(each).getByText('and queued jobs do not start').waitFor()
  }
  expect(await faultsOf(owner.page, 'fleet-paused')).toEqual([])
  const resume = ({ page }: typeof owner) => page.getByRole('button', { name: 'Resume' })
  expect(await resume(viewer).count()).toBe(0)
  await resume(owner).click()
  for (const each of [owner, viewer]) await banner(each).waitFor({ state: 'detached' })
  expect([...owner.complaints, ...viewer.complaints]).toEqual([])
})

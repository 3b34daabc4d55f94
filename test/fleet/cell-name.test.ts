import { expect, test } from 'vitest'
import { cellName, cellOrigin } from '../../src/fleet/cell-name.ts'
import { newId } from '../../src/fleet/ids.ts'

test('the name of a cell leads to its agent and its job', () => {
  const [job, session] = [newId('job'), newId('session')]
  expect(cellOrigin(cellName('docs-writer', job))).toEqual({ name: `docs-writer ${job}`, agent: 'docs-writer', job })
  expect(cellOrigin(cellName('docs-writer', session))).toMatchObject({ agent: 'docs-writer', job: null })
})

test('a name that only contains the id of a job belongs to no agent', () => {
  const job = newId('job')
  for (const name of ['run claude', job, `contest one ${job}`, `${job} one`, `one ${newId('agent')}`])
    expect(cellOrigin(name)).toEqual({ name, agent: null, job: null })
})

import { expect, test } from 'vitest'
import { PaddockError } from '../../src/base/errors.ts'
import type { Fleet } from '../../src/fleet/fleet.ts'
import type { OwnCommand } from '../../src/server/own-command.ts'
import { type ChangeRoutes, changeRoutes } from '../../src/server/routes/change-routes.ts'
import { bearer, testServer } from '../support/test-server.ts'

const applied = {
  schemaVersion: 1,
  id: 'abcdefgh',
  project: '/project',
  written: ['src/a.ts'],
  deleted: [],
  same: [],
  committed: null,
  left: 2,
  leftOut: 0,
  ignored: 0,
  kept: true,
}

/** Returns the routes for a job with a copy, with what was noted about it and which processes were started. */
function stage(answer: () => unknown) {
  const started: unknown[] = []
  const noted: number[] = []
  const jobs = { get: () => ({ result: { copy: 'abcdefgh' } }), noteToApply: (_: string, count: number) => void noted.push(count) }
  const command = (async (name: string, words: readonly string[]) => {
    started.push([name, ...words])
    return answer()
  }) as unknown as OwnCommand
  const deps: ChangeRoutes = { fleet: { jobs: jobs as unknown as Fleet['jobs'] }, command }
  return { deps, started, noted }
}

test('applying paths of a job starts one process, which gets them relative to the project', async () => {
  const { deps, started, noted } = stage(() => applied)
  await using server = await testServer({ routes: (app) => changeRoutes(app, deps) })
  const headers = bearer(server.secrets.operator)
  const body = { paths: ['src/a.ts', '--version'], runLater: true }
  expect((await server.ask('/api/v1/jobs/j/apply', { headers, body })).json).toEqual(applied)
  expect(started).toEqual([['apply', '--path=src/a.ts', '--path=--version', '--run-later', '--', 'abcdefgh']])
  expect(noted).toEqual([2])
})

test('a copy that is gone has nothing to apply any more', async () => {
  const { deps, started, noted } = stage(() => {
    throw new PaddockError('NOT_FOUND', 'There is no copy abcdefgh.')
  })
  await using server = await testServer({ routes: (app) => changeRoutes(app, deps) })
  expect((await server.ask('/api/v1/jobs/j/apply', { headers: bearer(server.secrets.operator), body: {} })).status).toBe(404)
  expect(started).toEqual([['apply', '--', 'abcdefgh']])
  expect(noted).toEqual([0])
})

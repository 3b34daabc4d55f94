import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NewerFile } from '../../src/files/stored-json.ts'
import { recordedRuns, recordRun } from '../../src/guarantees/recorded-runs.ts'
import type { Verification } from '../../src/guarantees/verify.ts'
import { temporary } from '../support/temporary.ts'

const done = (posture: 'L1' | 'L2', egress: 'allowlist' | 'off', status: 'held' | 'broken'): Verification =>
  ({ posture, egress, backend: 'bubblewrap', guarantees: [{ id: 'home-absent', status }] }) as unknown as Verification

const of = (paddock: string) => ({ paddock, backend: 'bubblewrap 0.8.0' })

test('the last whole run of each level and policy is kept, the newest first', async () => {
  await using state = await temporary()
  expect(recordedRuns(state.path)).toEqual([])
  await recordRun(state.path, done('L2', 'allowlist', 'broken'), of('1.0.0'), new Date(0))
  await recordRun(state.path, done('L1', 'allowlist', 'held'), of('1.0.0'), new Date(1000))
  await recordRun(state.path, done('L2', 'allowlist', 'held'), of('1.1.0'), new Date(2000))
  expect(recordedRuns(state.path)).toMatchObject([
    { posture: 'L2', version: '1.1.0', at: '1970-01-01T00:00:02.000Z', statuses: { 'home-absent': 'held' } },
    { posture: 'L1', version: '1.0.0' },
  ])
  const [first = ''] = readdirSync(state.at('verified'))
  expect(statSync(state.at(`verified/${first}`)).mode & 0o777).toBe(0o600)
})

test('a damaged file is left out, and that of a newer Paddock refused', async () => {
  await using state = await temporary()
  mkdirSync(state.at('verified'))
  writeFileSync(state.at('verified/a.json'), '{"schemaVersion":1,"posture":')
  writeFileSync(state.at('verified/b.json'), '{"schemaVersion":1,"posture":"L9"}')
  expect(recordedRuns(state.path)).toEqual([])
  writeFileSync(state.at('verified/c.json'), '{"schemaVersion":2}')
  expect(() => recordedRuns(state.path)).toThrow(NewerFile)
})

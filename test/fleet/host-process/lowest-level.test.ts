import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { HostClient } from '../../../src/fleet/host-process/host-client.ts'
import type { Manifest } from '../../../src/fleet/manifest/manifest-schema.ts'
import { paddock } from '../../support/cli.ts'
import { type HostStage, hostStage } from './host-stage.ts'

let at: HostStage
let client: HostClient
beforeAll(async () => {
  at = hostStage()
  client = await at.start()
})
afterAll(() => at[Symbol.asyncDispose]())

const ran = async (manifest: Partial<Manifest>): Promise<string> => {
  const { state, outcome, job } = await at.ended(at.run(client, ['true'], { manifest }))
  if (state !== 'done') return outcome.message ?? state
  return (JSON.parse(readFileSync(at.data.job(job).cell, 'utf8')) as { posture: string }).posture
}
const configure = (run: string): void =>
  writeFileSync(
    path.join(at.stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml'),
    `schemaVersion: 1\nfleet:\n  projects: [${at.stage.root}]\n${run}`,
  )

it('a job is not at a lower level than the configuration names, as it is when the job starts', async () => {
  expect(await ran({ posture: 'L1' })).toBe('L1')
  configure('run: { posture: L2 }\n')
  expect(await ran({ posture: 'L1' })).toMatch(/^posture: L1 is lower than L2 \(.*config\.yaml:4: run\.posture L2\)\.$/)
  expect(await ran({ posture: 'L2' })).toBe('L2')
  expect(await ran({})).toBe('L2')
  // It permits a lower level, and does not set it.
  configure('run: { posture: L1 }\n')
  expect(await ran({})).toBe('L2')
  expect(await ran({ posture: 'L1' })).toBe('L1')
})

it('a job on a project is not at a lower level than its trusted .paddock.yaml names', async () => {
  configure('')
  const project = path.join(at.stage.root, 'own')
  mkdirSync(project)
  const workspace = { project }
  expect(await ran({ posture: 'L1', workspace })).toBe('L1')
  writeFileSync(path.join(project, '.paddock.yaml'), 'schemaVersion: 1\nrun:\n  posture: L2\n')
  expect((await paddock(at.stage, ['trust'], { cwd: project })).code).toBe(0)
  expect(await ran({ posture: 'L1', workspace })).toMatch(/^posture: L1 is lower than L2 \(.*\.paddock\.yaml:3: run\.posture L2\)\.$/)
  expect(await ran({ workspace })).toBe('L2')
})

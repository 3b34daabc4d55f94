import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openRegistry } from '../../../src/cell/run/cell-registry.ts'
import { everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'

/** Writes the state of a killed Paddock: a record without a host process, and a file that its cell made. */
function cutOff(stage: Stage): void {
  stage.put('sub/.envrc', 'bad')
  const state = path.join(stage.env['PADDOCK_HOME'] ?? '', 'state')
  mkdirSync(state, { recursive: true })
  const record = { id: 'ab', host: null, startedAt: 0, trees: [stage.project], known: [], inertPaths: [] }
  openRegistry(path.join(state, 'cells')).write('ab', { ...record, runDirectory: path.join(state, 'none') })
  stage.own()
}

test.each(everyone)('the next start says what was quarantined after a killed run, as %s', async (who) => {
  using stage = makeStage(who)
  cutOff(stage)
  const moved = `quarantined (a tool on your machine would run it): ${stage.project}/sub/.envrc → ${stage.project}/sub/.envrc.quarantined`
  const ran = await inCell(stage, 'true')
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(moved)])
  // It is reported only once.
  expect((await inCell(stage, 'true')).stderr).not.toContain('quarantined')
  cutOff(stage)
  expect((await paddock(stage, ['clean'])).stderr).toContain('quarantined')
})

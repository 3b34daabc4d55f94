import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { everyone, makeStage, paddock, startPaddock } from '../../support/cli.ts'
import { until } from '../../support/processes.ts'

test.each(everyone)('a dry run works while a cell of the same Paddock is in the project, as %s', async (who) => {
  using stage = makeStage(who)
  const cell = startPaddock(stage, ['run', '--quiet', '--', 'sh', '-c', 'touch begun; sleep 30'])
  try {
    await until(() => existsSync(path.join(stage.project, 'begun')))
    const ran = await paddock(stage, ['run', '--dry-run', '--json', '--', 'true'])
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(JSON.parse(ran.stdout)).toMatchObject({ schemaVersion: 1 })
  } finally {
    const ended = new Promise((resolve) => cell.once('close', resolve))
    cell.kill('SIGTERM')
    await ended
  }
})

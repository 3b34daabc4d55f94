import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, makeStage, paddock, type Stage } from '../../support/cli.ts'

describe.each(everyone)('as %s, a project with very many', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
    execFileSync('git', ['init', '-q', stage.project])
    writeFileSync(path.join(stage.project, '.gitignore'), 'vendor\n')
  })
  // Removing this many directories takes long while other tests write.
  afterEach(() => stage[Symbol.dispose](), 300_000)

  it('directories that git ignores has cells, copies and reviews', async () => {
    for (let i = 0; i < 260; i++) for (let j = 0; j < 200; j++) mkdirSync(path.join(stage.project, `vendor/${i}/${j}`), { recursive: true })
    stage.own()
    expect(await paddock(stage, ['run', '--', 'mkdir', 'new'])).toMatchObject({ code: 0 })
    const copied = await paddock(stage, ['run', '--copy', '--', 'sh', '-c', 'echo work > result'])
    expect(copied.stderr).not.toContain('could not be compared')
    expect(await paddock(stage, ['apply'])).toMatchObject({ code: 0 })
    expect(stage.read('result')).toBe('work\n')
  })
})

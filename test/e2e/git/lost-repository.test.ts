import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { everyone, makeStage, paddock } from '../../support/cli.ts'

test.each(everyone)('7: a repository that git no longer finds after the run is named in the last lines, as %s', async (who) => {
  using stage = makeStage(who)
  execFileSync('git', ['init', '-q', stage.project])
  stage.own()
  const kept = await paddock(stage, ['run', '--', 'git', 'status'])
  expect(kept.stderr).not.toContain('repository')
  const lost = await paddock(stage, ['run', '--', 'sh', '-c', 'rm -rf .git 2>/dev/null; true'])
  expect(lost.stderr).toContain(`paddock: git no longer finds a repository in ${stage.project}: files in its .git are gone`)
  const again = await paddock(stage, ['run', '--', 'true'])
  expect(again.stderr).not.toContain('no longer')
})

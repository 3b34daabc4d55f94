import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { everyone, makeStage, paddock } from '../../support/cli.ts'

const scores = '{ "scores": { "A": { "quality": 4 } }, "reviews": { "A": "Good." } }'

const contestWith = (judge: string): string => `schemaVersion: 1
name: trial
participants:
  - { name: one, agent: command, command: [sh, -c, "echo 1 > answer; echo I failed; exit 3"] }
judges:
  - { name: strict, agent: command, command: [sh, -c, ${JSON.stringify(judge)}] }
rubric:
  dimensions: [{ id: quality, description: How good it is. }]
`

test.each(everyone)('6: contest run and contest judge name the command that goes on, as %s', async (who) => {
  using stage = makeStage(who)
  const contest = path.join(stage.root, 'contest')
  const write = (judge: string): void => writeFileSync(path.join(contest, 'contest.yaml'), contestWith(judge))
  mkdirSync(contest)
  writeFileSync(path.join(contest, 'BRIEF.md'), 'Write answer.\n')
  writeFileSync(path.join(contest, 'JUDGE_BRIEF.md'), 'Score it.\n')
  write('exit 1')
  stage.own()
  const ran = await paddock(stage, ['contest', 'run', contest])
  expect(ran.stdout).toMatch(/^one delivered, but it ended with exit code 3/m)
  expect(ran.stdout).toContain('The judge gave no scores. To ask it again: paddock contest run --retry')
  const failed = await paddock(stage, ['contest', 'judge', contest])
  expect(failed).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`paddock: no judge gave scores; to ask again: paddock contest judge ${contest}\n`),
  })
  write(`echo '${scores}' > /contest/outbox/scores.json`)
  const judged = await paddock(stage, ['contest', 'judge', contest])
  expect(judged).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining(`paddock: the report is unchanged; to write it again: paddock contest report ${contest}\n`),
  })
  expect((await paddock(stage, ['contest', 'judge', contest, '--quiet'])).stderr).not.toContain('paddock contest report')
})

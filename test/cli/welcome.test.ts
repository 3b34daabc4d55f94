import { expect, test } from 'vitest'
import { buildProgram } from '../../src/cli/program.ts'
import { everyone, makeStage, paddock } from '../support/cli.ts'

test.each(everyone)('paddock without a command shows three jobs and what to type first, as %s', async (who) => {
  using stage = makeStage(who)
  const { code, stdout, stderr } = await paddock(stage, [])
  expect([code, stderr]).toEqual([0, ''])
  for (const each of ['paddock run claude', 'paddock contest new', 'paddock serve', 'paddock --help']) expect(stdout).toContain(each)
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  expect((await paddock(stage, ['nonsense'])).code).toBe(2)
})

test('help shows every command in a group, and the groups in order', async () => {
  const help = (await buildProgram()).helpInformation()
  const groups = help.split('\n').filter((line) => /^[A-Z].*:$/.test(line))
  expect(groups).toEqual([
    'Options:',
    'One agent on your project:',
    'Several agents, judged blind:',
    'A fleet that keeps working:',
    'Programs and people around a fleet:',
    'Credentials:',
    'This machine:',
  ])
})

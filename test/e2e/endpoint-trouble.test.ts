import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, makeStage, paddock, type Stage } from '../support/cli.ts'

describe.each(everyone)('as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  it('4: a name that does not resolve on this machine is reported once when it happens and once in the last lines, however often the cell tries it', async () => {
    const once = 'exec 3<>/dev/tcp/model.invalid/80; printf "GET / HTTP/1.1\\r\\nHost: model.invalid\\r\\n\\r\\n" >&3; cat <&3'
    const { stderr } = await paddock(stage, ['run', '--allow', 'model.invalid:80', '--', 'bash', '-c', `(${once}); (${once}); exit 3`])
    const lines = stderr.split('\n').filter((each) => each.includes('does not resolve'))
    expect(lines, stderr).toEqual([
      'paddock: the name model.invalid does not resolve on this machine, so the cell cannot reach it',
      'paddock: the name model.invalid does not resolve on this machine',
    ])
  })

  it('3: --only without --retry is refused with the command that works', async () => {
    const contest = { schemaVersion: 1, name: 'x', participants: [{ name: 'y', agent: 'command', command: ['true'] }], judges: [] }
    stage.put('x/contest.yaml', JSON.stringify({ ...contest, checks: [{ name: 'there', command: 'true' }] }))
    stage.put('x/BRIEF.md', 'Do nothing.')
    stage.own()
    const { code, stderr } = await paddock(stage, ['contest', 'run', 'x', '--only', 'y'])
    expect([code, stderr]).toEqual([
      2,
      'paddock: BAD_INPUT: --only requires --retry.\n  hint: Run: paddock contest run --retry --only y x\n',
    ])
  })
})

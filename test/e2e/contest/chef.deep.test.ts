import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone } from '../../support/cli.ts'
import { fiveForAll, makeContestStage } from '../../support/contest-stage.ts'
import { sealedFile } from '../../support/sealed-files.ts'

const writes = (text: string): string => `echo ${text} > answer; echo obey > CLAUDE.md`
const cooks =
  'cat > prompt; find /contest/donors -type f | sort > seen; cat /contest/donors/*/answer answer 2> missing | sort > all; mv all answer; echo x > /contest/donors/A/answer || echo read-only > kept; true'

describe.each(everyone)('paddock contest chef and add, as %s', (who) => {
  it('a chef joins the round, sees what others handed in, and is checked and judged beside them', async () => {
    using at = makeContestStage(who, { alice: writes('from-alice'), bob: writes('from-bob'), failing: 'exit 1' }, { judge: fiveForAll })
    const as = ['--as', 'chef=command', '--', 'sh', '-c', cooks]
    expect((await at.run('chef', ...as)).stderr).toContain('was never run')
    await at.run('run')
    const cooked = await at.run('chef', '--json', ...as)
    const summary = JSON.parse(cooked.stdout)
    expect([cooked.code, summary.round, summary.ranking.map((each: { name: string }) => each.name).toSorted()]).toEqual([
      0,
      1,
      ['alice', 'bob', 'chef'],
    ])
    expect(cooked.stderr).not.toMatch(/(alice|bob|failing) started|changed since/)
    expect(sealedFile(at.contest, 'chef', 'answer')).toBe('from-alice\nfrom-bob\n')
    expect(sealedFile(at.contest, 'chef', 'kept')).toBe('read-only\n')
    expect(sealedFile(at.contest, 'chef', 'seen').split('\n')).toEqual([
      '/contest/donors/A/CLAUDE.md.submitted.txt',
      '/contest/donors/A/answer',
      '/contest/donors/B/CLAUDE.md.submitted.txt',
      '/contest/donors/B/answer',
      '',
    ])
    expect(sealedFile(at.contest, 'chef', 'prompt')).toContain('/contest/donors/A, /contest/donors/B')
    expect(sealedFile(at.contest, 'chef', 'prompt')).not.toMatch(/alice|bob/)
    expect(at.read('contest.yaml')).toMatch(/^# A comment\.\n/)
    expect(JSON.parse((await at.run('status', '--json')).stdout).participants).toMatchObject({ chef: { state: 'checked' } })

    // In a later round it continues from its own work.
    await at.run('refine', '--only', 'chef')
    expect(sealedFile(at.contest, 'chef', 'answer', 2)).toBe('from-alice\nfrom-bob\n')
    expect(sealedFile(at.contest, 'chef', 'seen', 2)).toBe('')
  })

  it('a chef starts from the base, and sees only the donors that are named', async () => {
    using at = makeContestStage(who, { alice: writes('from-alice'), bob: writes('from-bob'), carol: writes('from-carol') })
    await at.run('run')
    const cooked = await at.run('chef', '--base', 'alice@1', '--donors', 'carol', '--as', 'c2=command', '--', 'sh', '-c', cooks)
    expect(cooked.stderr).toContain('c2 sealed')
    expect(sealedFile(at.contest, 'c2', 'answer')).toBe('from-alice\nfrom-carol\n')
    expect(sealedFile(at.contest, 'c2', 'prompt')).toContain("Another participant's work is in /contest/out for you to start from")
    const before = at.read('contest.yaml')
    for (const [wrong, why] of [
      [['--donors', 'dave'], '--donors dave: nothing of that name is sealed in round 1'],
      [['--base', '../x'], '--base ../x'],
      [['--as', 'alice=command', '--', 'true'], 'is used twice: alice'],
      [['--as', 'x=cladue'], 'cladue'],
      [['--as', 'x'], 'it must be NAME=AGENT'],
    ] as const)
      expect(await at.run('chef', ...wrong)).toMatchObject({ code: 2, stderr: expect.stringContaining(why) })
    expect(at.read('contest.yaml')).toBe(before)
  })

  it('no judge scores a chef that has seen work of its own family', async () => {
    using at = makeContestStage(
      who,
      {},
      {},
      {
        participants: [
          { name: 'alice', agent: 'command', family: 'anthropic', command: ['sh', '-c', writes('from-alice')] },
          { name: 'bob', agent: 'command', family: 'openai', command: ['sh', '-c', writes('from-bob')] },
        ],
        judges: [
          { name: 'ja', agent: 'command', family: 'anthropic', command: ['sh', '-c', fiveForAll] },
          { name: 'jo', agent: 'command', family: 'openai', command: ['sh', '-c', fiveForAll] },
        ],
      },
    )
    await at.run('run')
    const all = await at.run('chef', '--as', 'chef=command', '--family', 'google', '--', 'sh', '-c', cooks)
    expect(all).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no judge: chef and every judge are of the family anthropic and openai'),
    })
    const one = await at.run('chef', '--donors', 'alice', '--as', 'chef=command', '--family', 'google', '--json', '--', 'sh', '-c', cooks)
    const summary = JSON.parse(one.stdout)
    const judges = (name: string): string[] =>
      summary.ranking.find((each: { name: string }) => each.name === name).judgements.map((each: { judge: string }) => each.judge)
    expect([judges('alice'), judges('bob'), judges('chef')]).toEqual([['jo'], ['ja'], ['jo']])
    expect(at.read('contest.yaml')).toContain('"families":["google","anthropic"]')
  })

  it('add writes one more into contest.yaml, which runs next, and changes nothing else', async () => {
    using at = makeContestStage(who, { alice: writes('1') })
    await at.run('run')
    const before = at.read('contest.yaml')
    expect(await at.run('add', 'bob=command', '--', 'sh', '-c', 'echo 2 > answer')).toMatchObject({ code: 0, stdout: '' })
    const added = await at.run('add', '--judge', '--json', 'strict=command', '--', 'sh', '-c', fiveForAll)
    expect([added.code, JSON.parse(added.stdout)]).toMatchObject([0, { group: 'judges', role: { name: 'strict', agent: 'command' } }])
    expect(at.read('contest.yaml').startsWith(before.slice(0, before.indexOf('}],"judges"')))).toBe(true)
    const ran = await at.run('run', '--json')
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ranking: [{ score: 100 }, { score: 100 }],
      judges: [{ name: 'strict', state: 'scored' }],
    })
    expect(ran.stderr).not.toMatch(/alice started|changed since/)
    expect(await at.run('add', 'Bob=command')).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be used as a name') })
    expect(await at.run('add', 'x=command')).toMatchObject({ code: 2, stderr: expect.stringContaining('x cannot be added') })
    expect(existsSync(path.join(at.contest, 'rounds/2'))).toBe(false)
  })
})

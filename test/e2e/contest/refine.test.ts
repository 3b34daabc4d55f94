import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone, startPaddock } from '../../support/cli.ts'
import { fiveForAll, makeContestStage } from '../../support/contest-stage.ts'
import { processesRunning, until } from '../../support/processes.ts'
import { namesIn, sealedFile } from '../../support/sealed-files.ts'

/** Extends its answer, and keeps the prompt and the feedback that it was given. */
const grows =
  'cat > prompt; echo more >> answer; [ ! -e /contest/FEEDBACK.md ] || { cp /contest/FEEDBACK.md told; echo x >> /contest/FEEDBACK.md || echo read-only > kept; }; mkdir -p .git; echo evil > .git/config; true'

describe.each(everyone)('paddock contest refine, as %s', (who) => {
  it('a new round begins with the last seal, and feedback reaches only whom it is for', async () => {
    using at = makeContestStage(who, { alice: grows, bob: grows }, { judge: fiveForAll })
    expect((await at.run('refine')).stderr).toContain('was never run')
    expect((await at.run('run')).code).toBe(0)
    at.put('FEEDBACK.md', 'For all of you.\n')
    at.put('FEEDBACK.alice.md', 'For alice alone.\n')
    const refined = await at.run('refine', '--json')
    expect([refined.code, JSON.parse(refined.stdout)]).toMatchObject([0, { round: 2, judging: 2 }])
    for (const name of ['alice', 'bob']) {
      expect(sealedFile(at.contest, name, 'answer', 1)).toBe('more\n')
      expect(sealedFile(at.contest, name, 'answer', 2)).toBe('more\nmore\n')
      expect(sealedFile(at.contest, name, 'prompt', 2)).toContain('Your previous submission is in /contest/out')
      expect(sealedFile(at.contest, name, 'prompt', 2)).toContain('/contest/FEEDBACK.md')
      expect(sealedFile(at.contest, name, 'prompt', 1)).not.toContain('FEEDBACK')
      expect(sealedFile(at.contest, name, 'kept', 2)).toBe('read-only\n')
      expect(readdirSync(path.join(at.contest, `rounds/2/${name}/attempts/1/out`))).not.toContain('.git')
    }
    expect(sealedFile(at.contest, 'alice', 'told', 2)).toBe('For all of you.\n\n---\n\nFor alice alone.\n')
    expect(sealedFile(at.contest, 'bob', 'told', 2)).toBe('For all of you.\n')
    expect(at.read('FEEDBACK.md')).toBe('For all of you.\n')

    at.put('other.md', 'Another text.\n')
    await at.run('refine', '--feedback', path.join(at.contest, 'other.md'))
    expect(sealedFile(at.contest, 'bob', 'told', 3)).toBe('Another text.\n')
    expect(sealedFile(at.contest, 'bob', 'answer', 3)).toBe('more\nmore\nmore\n')
  })

  it('with --only the others keep their seal, are judged again, and are not run', async () => {
    using at = makeContestStage(who, { alice: grows, bob: grows, failing: 'exit 127' }, { judge: fiveForAll })
    await at.run('run')
    at.put('for-alice.md', 'For alice.\n')
    const refined = await at.run('refine', '--only', 'alice', '--json', '--feedback', path.join(at.contest, 'for-alice.md'))
    const summary = JSON.parse(refined.stdout)
    expect([
      refined.code,
      summary.ranking.map((each: { name: string; attempts: number }) => [each.name, each.attempts]).toSorted(),
    ]).toEqual([
      0,
      [
        ['alice', 1],
        ['bob', 0],
      ],
    ])
    expect(refined.stderr).toContain('bob keeps its work of round 1')
    expect(refined.stderr).not.toMatch(/(bob|failing) started/)
    expect(summary.notes).toContain('bob was not run in this round, so the work is from round 1.')
    expect(summary.ranking.every((each: { score: number }) => each.score === 100)).toBe(true)
    expect(existsSync(path.join(at.contest, 'rounds/2/bob'))).toBe(false)
    expect(JSON.parse(at.read('rounds/2/sealed/bob/seal.json'))).toMatchObject({ attempt: 0, carriedFrom: 1 })
    expect(sealedFile(at.contest, 'bob', 'answer', 2)).toBe('more\n')

    // A participant that is run again in that round starts from the same seal, even after the earlier rounds were pruned.
    await at.run('prune', '--all')
    await at.run('run', '--retry', '--only', 'bob')
    const told = (name: string): boolean => namesIn(path.join(at.contest, 'rounds/2/sealed', name, 'out.tar')).includes('told')
    expect([told('alice'), told('bob')]).toEqual([true, false])
    expect(sealedFile(at.contest, 'bob', 'answer', 2)).toBe('more\nmore\n')
    await at.run('refine', '--only', 'alice')
    expect(JSON.parse(at.read('rounds/3/sealed/bob/seal.json'))).toMatchObject({ attempt: 0, carriedFrom: 2 })
  })

  it('after kill -9 the round goes on from the same seals and the same feedback', async () => {
    const mark = String(60 + (process.pid % 1000) / 1000)
    using at = makeContestStage(who, { alice: `${grows}; [ -e /contest/raw/go ] || sleep ${mark}`, bob: grows })
    at.put('raw/go', '')
    await at.run('run')
    rmSync(path.join(at.contest, 'raw/go'))
    at.put('FEEDBACK.md', 'The first.\n')
    const going = startPaddock(at.stage, ['contest', 'refine', at.contest, '--only', 'alice'])
    await until(() => processesRunning('sleep', mark).length === 1)
    going.kill('SIGKILL')
    await until(() => processesRunning('sleep', mark).length === 0)
    at.put('FEEDBACK.md', 'Another.\n')
    at.put('raw/go', '')
    const resumed = await at.run('resume')
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining('alice started (attempt 2)')])
    expect(resumed.stderr).not.toContain('bob started')
    expect(sealedFile(at.contest, 'alice', 'answer', 2)).toBe('more\nmore\n')
    expect(sealedFile(at.contest, 'alice', 'told', 2)).toBe('The first.\n')
    expect(sealedFile(at.contest, 'bob', 'answer', 2)).toBe('more\n')
    for (const attempt of ['1', '2'])
      expect(readdirSync(path.join(at.contest, 'rounds/2/alice/attempts', attempt, 'out'))).not.toContain('.git')
  })

  it('a seal that is not what the round began with is refused', async () => {
    using at = makeContestStage(who, { alice: grows })
    await at.run('run')
    await at.run('refine')
    const seal = JSON.parse(at.read('rounds/1/sealed/alice/seal.json'))
    at.put('rounds/1/sealed/alice/seal.json', JSON.stringify({ ...seal, tree: '0'.repeat(64) }))
    expect(await at.run('run', '--retry', '--only', 'alice')).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('does not contain the start of this round'),
    })
  })

  it('unknown names are refused before a round begins', async () => {
    using at = makeContestStage(who, { alice: grows })
    await at.run('run')
    expect(await at.run('refine', '--only', 'alcie')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean alice?') })
    at.put('FEEDBACK.alcie.md', 'x\n')
    expect(await at.run('refine')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean FEEDBACK.alice.md?') })
    expect(readdirSync(path.join(at.contest, 'rounds'))).toEqual(['1'])
  })
})

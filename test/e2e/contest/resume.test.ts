import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone, startPaddock } from '../../support/cli.ts'
import { fiveForAll, makeContestStage } from '../../support/contest-stage.ts'
import { processesRunning, until } from '../../support/processes.ts'

const markOf = (base: number): string => String(base + (process.pid % 1000) / 1000)

describe.each(everyone)('paddock contest resume, cancel and rejudge, as %s', (who) => {
  it('cancel ends the process that works on a contest and its cells, and resume goes on', async () => {
    const mark = markOf(50)
    using at = makeContestStage(who, { quick: 'echo 1 > answer', slow: `[ -e /contest/raw/go ] || sleep ${mark}; echo 2 > answer` })
    at.put('raw/README', 'x')
    expect(await at.run('cancel')).toMatchObject({ code: 1, stderr: 'paddock: no process works on this contest\n' })
    expect(await at.run('resume')).toMatchObject({ code: 2, stderr: expect.stringContaining('was never run') })
    const going = startPaddock(at.stage, ['contest', 'run', at.contest])
    const ended = new Promise((resolve) => going.once('close', resolve))
    await until(() => processesRunning('sleep', mark).length === 1 && existsSync(path.join(at.contest, 'rounds/1/sealed/quick/seal.json')))
    const cancelled = await at.run('cancel', '--json')
    expect([cancelled.code, JSON.parse(cancelled.stdout)]).toMatchObject([0, { ended: { pid: going.pid, command: 'paddock contest run' } }])
    expect(await ended).toBe(130)
    expect(processesRunning('sleep', mark)).toEqual([])
    at.put('raw/go', '')
    const resumed = await at.run('resume')
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining('slow started (attempt 2)')])
    expect(resumed.stderr).not.toContain('quick started')
  })

  it('resume --only repeats no attempt that has ended, unless --force is given', async () => {
    using at = makeContestStage(who, { one: 'echo 1 > answer', two: 'echo 2 > answer' })
    await at.run('run')
    expect(await at.run('resume', '--only', 'one')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/one has ended \(delivered\).*\n {2}hint: .*resume --only one --force/),
    })
    expect(await at.run('resume', '--force')).toMatchObject({ code: 2, stderr: expect.stringContaining('--force requires --only.') })
    expect(await at.run('resume', '--only', 'noe')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean one?') })
    const forced = await at.run('resume', '--only', 'one', '--force')
    expect(forced.stderr).toContain('one started (attempt 2)')
    expect(forced.stderr).not.toContain('two started')
  })

  it('rejudge asks all judges again under new labels, and runs no participant', async () => {
    using at = makeContestStage(who, { one: 'echo 1 > answer', two: 'echo 2 > answer' }, { judge: fiveForAll })
    expect((await at.run('rejudge')).stderr).toContain('no sealed submission')
    await at.run('run')
    const again = await at.run('rejudge', '--json')
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { round: 1, judging: 2, ranking: [{ attempts: 1 }, { attempts: 1 }] }])
    expect(again.stderr).not.toContain('one started')
    expect(existsSync(path.join(at.contest, 'judging/2/judge/tasks/1/scores.json'))).toBe(true)
    expect(JSON.parse(at.read('report/summary.json'))).toMatchObject({ judging: 2, unfinishedJudging: null })
  })
})

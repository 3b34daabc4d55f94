import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone, paddock, startPaddock } from '../../support/cli.ts'
import { fiveForAll, makeContestStage } from '../../support/contest-stage.ts'
import { until } from '../../support/processes.ts'

/** Prints hostile output, then waits for the test. */
const talks = "printf 'begun \\033]0;title\\007\\n'; while [ ! -e /contest/raw/go ]; do sleep 0.05; done; echo finished; echo 1 > answer"

describe.each(everyone)('paddock contest tail and status --watch, as %s', (who) => {
  it('both follow a contest until no process works on it', async () => {
    using at = makeContestStage(who, { alice: talks }, { judge: `echo judging; ${fiveForAll}` })
    at.put('raw/README', 'x')
    expect(await at.run('tail')).toMatchObject({ code: 0, stdout: '' })
    const going = paddock(at.stage, ['contest', 'run', at.contest])
    await until(() => existsSync(path.join(at.contest, 'rounds/1/alice/attempts/1/agent.jsonl')))
    const said = { events: '', alice: '', status: '' }
    const follow = (key: keyof typeof said, args: readonly string[]): Promise<unknown> => {
      const child = startPaddock(at.stage, ['contest', ...args])
      child.stdout?.on('data', (chunk) => {
        said[key] += String(chunk)
      })
      return new Promise((resolve) => child.once('close', resolve))
    }
    const followers = [
      follow('events', ['tail', at.contest]),
      follow('alice', ['tail', at.contest, 'alice']),
      follow('status', ['status', at.contest, '--watch']),
    ]
    await until(() => said.events.includes('alice started') && said.alice.includes('begun') && said.status.includes('running'))
    writeFileSync(path.join(at.contest, 'raw/go'), '')
    expect((await going).code).toBe(0)
    expect(await Promise.all(followers)).toEqual([0, 0, 0])
    expect(said.events).toMatch(/^\d\d:\d\d:\d\d alice started$/m)
    expect(said.events).toMatch(/alice sealed: 1 file\n[\s\S]*judge judge scored\n$/)
    expect(said.alice).toMatch(/begun \\u\{1b\}\]0;title\\u\{7\}\n.*finished\n.*done\n$/)
    expect(said.status).toMatch(/alice {2}running[\s\S]*\n\ntrial: round 1[\s\S]*judge {2}scored/)

    expect((await at.run('tail', 'judge', '--no-follow')).stdout).toMatch(/judging\n.*done\n$/)
    const lines = (await at.run('tail', '--json')).stdout.trimEnd().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'reported' })
    expect(await at.run('tail', 'alcie')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean alice?') })
    writeFileSync(path.join(at.contest, 'events.jsonl'), 'no json\n{"type":"ended"}\n{"type":"warning","message":"whole"}\n')
    expect((await at.run('tail')).stdout).toBe('warning: whole\n')
  })
})

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'
import { processesRunning, until } from '../../support/processes.ts'
import { sealedFile } from '../../support/sealed-files.ts'

const hello = fileURLToPath(new URL('../../../examples/hello', import.meta.url))

describe.each(everyone)('paddock contest in real cells, as %s', (who) => {
  let stage: Stage
  let contest: string
  beforeEach(() => {
    stage = makeStage(who)
    contest = path.join(stage.root, 'contest')
  })
  afterEach(() => stage[Symbol.dispose]())

  const read = (file: string): string => readFileSync(path.join(contest, file), 'utf8')

  it('the demo runs to its leaderboard and report', async () => {
    cpSync(hello, path.join(stage.root, 'hello'), { recursive: true })
    stage.own()
    const ran = await paddock(stage, ['contest', 'run', path.join(stage.root, 'hello'), '--to', contest])
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringMatching(/1(–\d)? +careful .*\n\d(–\d)? +patient .*\n\d(–\d)? +hasty /)])
    const summary = JSON.parse(read('report/summary.json'))
    expect(summary.ranking.map((each: { name: string }) => each.name)).toEqual(['careful', 'patient', 'hasty'])
    expect(summary.judges.map((each: { state: string }) => each.state)).toEqual(['scored', 'scored', 'scored'])
    expect(ran.stdout).toContain(summary.verdict.sentence)
    expect(read('report/report.html')).not.toMatch(/(src|href)="https?:/)
    expect(statSync(path.join(contest, 'judging/1/mapping.json')).mode & 0o777).toBe(0o600)
    const owner = statSync(path.join(stage.root, 'hello')).uid
    expect(execFileSync('find', [contest, '-not', '-uid', String(owner)]).toString()).toBe('')
    const again = await paddock(stage, ['contest', 'run', contest, '--json'])
    expect([again.code, JSON.parse(again.stdout).ranking.length]).toEqual([0, 3])
    expect((await paddock(stage, ['contest', 'status', contest])).stdout).toMatch(/careful +checked +delivered/)
    const { tasks, judges } = JSON.parse((await paddock(stage, ['contest', 'status', contest, '--json'])).stdout)
    for (const each of [tasks, Object.values(judges)])
      expect(each).toMatchObject([{ state: 'scored' }, { state: 'scored' }, { state: 'scored' }])
  })

  /** Writes a contest whose participants look around and then deliver what they saw. */
  const makeSpies = (seconds: number): void => {
    mkdirSync(path.join(contest, 'raw'), { recursive: true })
    mkdirSync(path.join(contest, 'spy'))
    writeFileSync(path.join(contest, 'BRIEF.md'), 'Look around.\n')
    writeFileSync(path.join(contest, 'JUDGE_BRIEF.md'), 'canary-judge-brief\n')
    writeFileSync(path.join(contest, 'raw/data.txt'), 'data\n')
    const spy = `cat > /tmp/prompt; find /contest -type f | sort > out-list; cat /contest/raw/data.txt > out-data
      echo bad > /contest/raw/data.txt; echo bad > /contest/BRIEF.md; ls -A / > out-root; sleep ${seconds}
      mv out-list out-data out-root /contest/out/; grep -rs canary /contest /tmp "$HOME" > /contest/out/canaries; echo mark-$$ > /contest/out/mark; true`
    writeFileSync(path.join(contest, 'spy/start.sh'), `cd /tmp\n${spy}\n`)
    const one = (name: string): string => `  - { name: ${name}, agent: command, command: [sh, /agent/start.sh], files: spy }\n`
    writeFileSync(
      path.join(contest, 'contest.yaml'),
      `schemaVersion: 1\nname: spies\nparticipants:\n${one('alpha')}${one('beta')}checks:\n  - { name: there, command: [test, -f, out-list] }\n`,
    )
    stage.own()
  }

  it('a participant sees the brief, raw/ and its own out/, and nothing of the others', async () => {
    makeSpies(0)
    const ran = await paddock(stage, ['contest', 'run', contest])
    expect([ran.stderr, ran.code]).toEqual([expect.stringContaining('alpha sealed'), expect.any(Number)])
    for (const name of ['alpha', 'beta']) {
      expect(sealedFile(contest, name, 'out-list')).toBe('/contest/BRIEF.md\n/contest/raw/data.txt\n')
      expect(sealedFile(contest, name, 'out-data')).toBe('data\n')
      expect(sealedFile(contest, name, 'canaries')).toBe('')
    }
    expect(read('raw/data.txt')).toBe('data\n')
    expect(read('BRIEF.md')).toBe('Look around.\n')
  })

  it('kill -9 leaves no process, and the next run finishes the contest', async () => {
    const mark = 30 + (process.pid % 1000) / 1000
    makeSpies(mark)
    const child = startPaddock(stage, ['contest', 'run', contest])
    await until(() => processesRunning('sleep', `${mark}`).length === 2)
    child.kill('SIGKILL')
    await until(() => processesRunning('sleep', `${mark}`).length === 0)
    expect(existsSync(path.join(contest, 'rounds/1/sealed/alpha/seal.json'))).toBe(false)
    writeFileSync(
      path.join(contest, 'spy/start.sh'),
      readFileSync(path.join(contest, 'spy/start.sh'), 'utf8').replace(`sleep ${mark}`, 'true'),
    )
    const again = await paddock(stage, ['contest', 'run', contest])
    expect(again.stderr).toContain('alpha started (attempt 2)')
    expect(again.stderr).toContain('beta sealed')
    expect(existsSync(path.join(contest, 'report/report.html'))).toBe(true)
    expect(readdirSync(path.join(stage.root, 'paddock/state/cells'))).toEqual([])
    expect(readdirSync(path.join(stage.root, 'paddock/state/run'))).toEqual([])
  })

  it('Ctrl-C ends all cells, keeps what is done, and says how to go on', async () => {
    const mark = 40 + (process.pid % 1000) / 1000
    makeSpies(mark)
    const child = startPaddock(stage, ['contest', 'run', contest])
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += String(chunk)
    })
    await until(() => processesRunning('sleep', `${mark}`).length === 2)
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(130)
    expect(processesRunning('sleep', `${mark}`)).toEqual([])
    expect(said).toMatch(/continues from here/)
  })

  it('bad input is one sentence with the place and the fix', async () => {
    expect(await paddock(stage, ['contest', 'run', path.join(stage.root, 'nowhere')])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/contest\.yaml[\s\S]*hint: /),
    })
    makeSpies(0)
    writeFileSync(path.join(contest, 'contest.yaml'), 'schemaVersion: 1\nname: x\nparticpants: []\n')
    expect(await paddock(stage, ['contest', 'run', contest])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/particpants.*participants/s),
    })
    const made = path.join(stage.root, 'mine')
    expect((await paddock(stage, ['contest', 'new', made])).code).toBe(0)
    expect(readdirSync(made).sort()).toEqual(['BRIEF.md', 'JUDGE_BRIEF.md', 'contest.yaml', 'raw'])
  })
})

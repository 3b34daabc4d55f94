import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, makeStage, paddock, type Stage } from '../../support/cli.ts'

describe.each(everyone)('6: leftovers of a contest, as %s', (who) => {
  let stage: Stage
  let contest: string
  beforeEach(() => {
    stage = makeStage(who)
    contest = path.join(stage.root, 'contest')
    mkdirSync(contest)
    const line =
      'mkdir -p a/b closed node_modules/p/q .venv/x .git/objects/y; chmod 000 node_modules/p/q .venv/x .git/objects/y; chmod 400 node_modules/p; echo x > closed/f; echo x > a/b/f; echo 1 > answer; ln -s /etc/passwd link; chmod 000 a/b closed; chmod 500 a'
    writeFileSync(path.join(contest, 'BRIEF.md'), 'Write answer.\n')
    writeFileSync(
      path.join(contest, 'contest.yaml'),
      `schemaVersion: 1\nname: trial\nparticipants:\n  - { name: hostile, agent: command, command: [sh, -c, "${line}"] }\nchecks:\n  - { name: there, command: [test, -f, answer] }\n`,
    )
    stage.own()
  })
  afterEach(() => stage[Symbol.dispose]())

  it('directories that a participant closed can be removed by their owner', async () => {
    expect((await paddock(stage, ['contest', 'run', contest])).code).toBe(0)
    const out = path.join(contest, 'rounds/1/hostile/attempts/1/out')
    const closed = execFileSync('find', [out, '-type', 'd', '-not', '-perm', '-700']).toString()
    expect([existsSync(path.join(out, 'a/b/f')), closed]).toEqual([true, ''])
    const { uid, gid } = {
      uid: Number(execFileSync('stat', ['-c', '%u', contest])),
      gid: Number(execFileSync('stat', ['-c', '%g', contest])),
    }
    execFileSync('rm', ['-rf', path.join(contest, 'rounds')], { uid, gid })
    expect(readFileSync('/etc/passwd', 'utf8')).not.toBe('')
  })

  it('clean says what it removes and how large it was, and the contest can still be reported', async () => {
    await paddock(stage, ['contest', 'run', contest])
    const dry = await paddock(stage, ['contest', 'clean', contest, '--dry-run'])
    expect([dry.code, dry.stdout]).toEqual([
      0,
      expect.stringMatching(/^would remove sealed work directory rounds\/1\/hostile\/attempts\/1\/out \(\d+ B\)\n/),
    ])
    const done = await paddock(stage, ['contest', 'clean', contest])
    expect(done.stdout).toMatch(/^removed sealed work directory .*\nremoved 1 in all, .*\nthe contest had .* before and has .* now\n$/)
    expect(existsSync(path.join(contest, 'rounds/1/hostile/attempts/1/out'))).toBe(false)
    expect(JSON.parse((await paddock(stage, ['contest', 'prune', contest, '--json'])).stdout)).toMatchObject({ dryRun: false, removed: [] })
    expect((await paddock(stage, ['contest', 'report', contest])).stdout).toMatch(/1 +hostile +100\.0/)
  })

  it('prune --older-than keeps what is newer, and the seals of the newest round', async () => {
    for (const args of [['run'], ['run', '--fresh'], ['run', '--fresh']])
      await paddock(stage, ['contest', args[0] ?? '', contest, ...args.slice(1)])
    const old = new Date('2020-01-01T00:00:00Z')
    for (const each of ['rounds/1', 'rounds/3/sealed/hostile', 'rounds/3']) utimesSync(path.join(contest, each), old, old)
    const prune = (...args: string[]) => paddock(stage, ['contest', 'prune', contest, '--all', ...args])
    const dry = await prune('--older-than', '30d', '--dry-run')
    expect(dry.stdout).toMatch(/^would remove old round rounds\/1 .*\nwould remove 1 in all/)
    expect((await prune('--older-than', '30d')).stdout).toMatch(/^removed old round rounds\/1 /)
    expect(['1', '2', '3'].map((each) => existsSync(path.join(contest, 'rounds', each)))).toEqual([false, true, true])
    expect(existsSync(path.join(contest, 'rounds/3/sealed/hostile/out.tar'))).toBe(true)
    expect(await prune('--older-than', 'long')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--older-than long cannot be read.'),
    })
  })

  it('an untouched template is refused before anything runs', async () => {
    const mine = path.join(stage.root, 'mine')
    await paddock(stage, ['contest', 'new', mine])
    expect(await paddock(stage, ['contest', 'run', mine])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^paddock: BAD_INPUT: BRIEF\.md and JUDGE_BRIEF\.md are still as .*\n {2}hint: Edit \S+BRIEF\.md/),
    })
    expect(readFileSync(path.join(mine, 'contest.yaml'), 'utf8')).not.toContain('docs/')
    expect((await paddock(stage, ['contest', '--help'])).stdout).toMatch(/All keys of contest\.yaml: \/.*contest-yaml\.md/)
  })
})

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'

describe.each(everyone)('paddock audit, as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())
  const log = (): string => path.join(stage.root, 'paddock/state/audit/audit.jsonl')

  it('records the prompt as a hash, the commit that a cell began with, and the one that it made', async () => {
    const git = (...words: string[]): string =>
      execFileSync('git', ['-C', stage.project, '-c', 'safe.directory=*', ...words], { encoding: 'utf8' }).trim()
    git('init', '-q')
    git('-c', 'user.name=a', '-c', 'user.email=a@a.test', 'commit', '-q', '--allow-empty', '-m', 'first')
    const before = git('rev-parse', 'HEAD')
    stage.own()
    const script = 'git -c user.name=b -c user.email=b@b.test commit -q --allow-empty -m second'
    expect((await paddock(stage, ['run', '--quiet', '--prompt', 'do it', '--', 'sh', '-c', script])).code).toBe(0)
    const after = readFileSync(path.join(stage.project, '.git/refs/heads', git('branch', '--show-current')), 'utf8').trim()
    const [launch, end] = readFileSync(log(), 'utf8')
      .split('\n')
      .filter((each) => /"kind":"cell\.(?:launch|end)"/.test(each))
      .map((each) => JSON.parse(each) as { data: Record<string, unknown> })
    const prompt = createHash('sha256').update('do it').digest('hex')
    expect(launch?.data).toMatchObject({ agent: 'command', version: null, model: null, prompt, project: stage.project, commit: before })
    expect(after).not.toBe(before)
    expect(end?.data).toMatchObject({ commit: after })
    expect((await inCell(stage, 'true')).code).toBe(0)
    expect(readFileSync(log(), 'utf8').trim().split('\n').at(-1)).not.toContain('"commit"')
  })

  it('tells the story of a cell, and finds a line that was changed', async () => {
    expect((await paddock(stage, ['audit', 'verify'])).stdout).toBe('whole: no lines\n')
    const ran = await inCell(stage, 'curl -s http://a.test:8080/; exit 3', {
      args: ['--allow', 'a.test:8080=127.0.0.1:9'],
    })
    expect(ran.code).toBe(3)
    const tail = await paddock(stage, ['audit', 'tail', '--json', '--kind', 'cell'])
    const [launch, end] = tail.stdout
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each) as { cell: string; kind: string; data: Record<string, unknown> })
    expect(launch).toMatchObject({ kind: 'cell.launch', data: { plan: expect.stringMatching(/^[0-9a-f]{64}$/) } })
    expect(end).toMatchObject({ kind: 'cell.end', data: { ending: 'exited', code: 3, plan: launch?.data['plan'] } })
    const story = await paddock(stage, ['audit', 'show', launch?.cell.slice(0, 6) ?? ''])
    expect(story.stdout).toMatch(/cell\.launch[\s\S]*egress\.deny +a\.test:8080 · unreachable[\s\S]*cell\.end +exited \(3\)/)
    expect(await paddock(stage, ['audit', 'show', 'ffffffff'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no cell "ffffffff"'),
    })

    const whole = await paddock(stage, ['audit', 'verify', '--json'])
    const verdict = JSON.parse(whole.stdout) as { whole: boolean; head: { hash: string } }
    expect([whole.code, verdict.whole]).toEqual([0, true])
    expect((await inCell(stage, 'true')).code).toBe(0)
    expect((await paddock(stage, ['audit', 'verify', '--head', verdict.head.hash])).code).toBe(0)
    expect(await paddock(stage, ['audit', 'verify', '--head', 'f'.repeat(64)])).toMatchObject({ code: 1 })
    const text = readFileSync(log(), 'utf8')
    writeFileSync(log(), text.replace('a.test', 'b.test'))
    const broken = await paddock(stage, ['audit', 'verify'])
    expect([broken.code, broken.stdout]).toEqual([
      1,
      expect.stringMatching(/^broken: audit\.jsonl, line \d+: this line was changed after it was written \(changed\)/),
    ])
  })

  it('a limit that was hit is in the log', async () => {
    await inCell(stage, 'sleep 60', { args: ['--timeout', '1s'] })
    const tail = await paddock(stage, ['audit', 'tail', '--kind', 'cell.limit'])
    expect(tail.stdout).toMatch(/cell\.limit +limit hit: out-of-time\n$/)
  })

  it('follows what is written', async () => {
    const tail = startPaddock(stage, ['audit', 'tail', '-f', '-n', '0', '--kind', 'cell'])
    let shown = ''
    tail.stdout?.on('data', (chunk) => {
      shown += String(chunk)
    })
    const ended = new Promise((resolve) => tail.once('close', resolve))
    // The follower does not report when it has started, so cells run until it shows one.
    while (!/cell\.launch[\s\S]*cell\.end/.test(shown)) await inCell(stage, 'true')
    tail.kill('SIGINT')
    expect(await ended).toBe(130)
  })

  it('nothing in a cell reaches it', async () => {
    const ran = await inCell(stage, `ls ${path.dirname(log())}; echo x >> ${log()}`)
    expect(ran.stderr).toContain('No such file or directory')
    expect((await paddock(stage, ['audit', 'verify'])).code).toBe(0)
  })
})

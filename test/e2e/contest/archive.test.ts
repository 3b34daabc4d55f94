import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone } from '../../support/cli.ts'
import { fiveForAll, makeContestStage } from '../../support/contest-stage.ts'
import { namesIn } from '../../support/sealed-files.ts'

const key = ['ghp', '0123456789abcdefghijABCDEFGHIJ012345'].join('_')

describe.each(everyone)('paddock contest archive, as %s', (who) => {
  it("a contest's results are one archive with hashes; files outside the allowlist are left out", async () => {
    using at = makeContestStage(who, { alice: 'echo said; echo 1 > answer' }, { judge: fiveForAll })
    for (const file of ['raw/data', 'notes.txt', 'checks/answers', 'FEEDBACK.md']) at.put(file, 'private\n')
    await at.run('run')
    symlinkSync('/etc/passwd', path.join(at.contest, 'linked'))
    const out = path.join(at.stage.project, 'a.tar')
    const made = await at.run('archive', '--out', out)
    expect(made).toMatchObject({
      code: 0,
      stdout: `${out}\n`,
      stderr: expect.stringMatching(/^paddock: \d+ files, .* are left out\n$/),
    })
    const names = namesIn(out).map((each) => each.replace(/^trial\//, ''))
    expect(names).toEqual([
      'BRIEF.md',
      'contest.yaml',
      'events.jsonl',
      'judging/1/identity.json',
      'judging/1/judge/tasks/1/judge.json',
      'judging/1/judge/tasks/1/scores.json',
      'judging/1/mapping.json',
      'judging/1/orders.json',
      'manifest.json',
      'report/leaderboard.md',
      'report/report.html',
      'report/summary.json',
      'rounds/1/sealed/alice/checks.json',
      'rounds/1/sealed/alice/out.tar',
      'rounds/1/sealed/alice/seal.json',
      'status.json',
    ])
    const directory = path.join(at.stage.project, 'as-directory')
    const asDirectory = JSON.parse((await at.run('archive', '--format', 'dir', '--with-logs', '--out', directory, '--json')).stdout)
    expect(readFileSync(path.join(directory, 'rounds/1/alice/attempts/1/stdout.log'), 'utf8')).toBe('said\n')
    expect(existsSync(path.join(directory, 'rounds/1/alice/attempts/1/out'))).toBe(false)
    const { files } = JSON.parse(readFileSync(path.join(directory, 'manifest.json'), 'utf8'))
    expect(files).toEqual(asDirectory.files)
    for (const { path: file, size, sha256 } of files) {
      const bytes = readFileSync(path.join(directory, file))
      expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256])
    }
    expect(await at.run('archive', '--out', out)).toMatchObject({
      code: expect.any(Number),
      stderr: expect.stringContaining('already exists'),
    })
    expect(await at.run('archive', '--format', 'zip')).toMatchObject({ code: 2, stderr: expect.stringContaining('Use one of: tar, dir') })
    // Archives of the same contest are identical.
    await at.run('archive', '--out', `${out}.2`)
    expect(execFileSync('cmp', [out, `${out}.2`]).toString()).toBe('')
  })

  it('a secret keeps it from being made, in a seal, too, and is named by its place', async () => {
    using at = makeContestStage(who, { alice: `echo token=${key} > config.env; echo 1 > answer` })
    await at.run('run')
    const out = path.join(at.stage.project, 'a.tar')
    const refused = await at.run('archive', '--out', out)
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(/rounds\/1\/sealed\/alice\/config\.env:1 \(/)
    expect(refused.stderr).not.toContain(key)
    expect(existsSync(out)).toBe(false)
    expect((await at.run('archive', '--out', out, '--allow-secrets')).code).toBe(0)

    using large = makeContestStage(who, {
      alice: `head -c 3000000 /dev/zero | tr '\\0' x > large; echo " token=${key}" >> large; echo 1 > answer`,
    })
    await large.run('run')
    const inLarge = await large.run('archive', '--out', `${out}.large`)
    expect([inLarge.code === 0, inLarge.stderr]).toEqual([false, expect.stringMatching(/rounds\/1\/sealed\/alice\/large:1 \(/)])
    expect(existsSync(`${out}.large`)).toBe(false)

    using inPlay = makeContestStage(
      who,
      {},
      {},
      {
        participants: [
          { name: 'alice', agent: 'command', env: ['SERVICE_TOKEN=a-long-value-of-my-own-0815'], command: ['sh', '-c', 'echo 1 > answer'] },
        ],
      },
    )
    await inPlay.run('run')
    const never = await inPlay.run('archive', '--out', `${out}.3`, '--allow-secrets')
    expect([never.code === 0, never.stderr]).toEqual([
      false,
      expect.stringMatching(/contest\.yaml:\d+ \(.*SERVICE_TOKEN.*which the cell had\)/),
    ])
    expect(never.stderr).not.toContain('0815')
  })
})

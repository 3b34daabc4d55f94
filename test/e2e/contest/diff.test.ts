import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone } from '../../support/cli.ts'
import { makeContestStage } from '../../support/contest-stage.ts'

const alice =
  "[ -e /contest/FEEDBACK.md ] || { printf 'one\\ntwo\\nthree\\n' > answer; printf 'a\\000b' > data; echo x > gone; printf 'same\\n' > same; exit; }; printf 'one\\n2\\033]0;title\\007\\nthree' > answer; printf 'a\\000c' > data; rm gone; echo new > $(printf 'new\\033[2J'); chmod +x same"

describe.each(everyone)('paddock contest diff, as %s', (who) => {
  it('two rounds, two participants, and raw/ against a seal', async () => {
    using at = makeContestStage(who, { alice, bob: "printf 'one\\ntwo\\n' > answer" })
    at.put('raw/answer', 'one\n')
    await at.run('run')
    at.put('FEEDBACK.md', 'Better.\n')
    await at.run('refine')
    const rounds = await at.run('diff', 'alice@1', 'alice@2')
    expect(rounds).toMatchObject({ code: 0, stderr: '' })
    expect(rounds.stdout).toBe(
      [
        'diff alice@1/answer alice@2/answer',
        '--- alice@1/answer',
        '+++ alice@2/answer',
        '@@ -1,3 +1,3 @@',
        ' one',
        '-two',
        '-three',
        '+2\\u{1b}]0;title\\u{7}',
        '+three',
        '\\ No newline at end of file',
        'diff alice@1/data alice@2/data',
        'binary, 3 B → 3 B',
        'diff alice@1/gone alice@2/gone',
        '--- alice@1/gone',
        '+++ /dev/null',
        '@@ -1,1 +0,0 @@',
        '-x',
        'diff alice@1/new\\u{1b}[2J alice@2/new\\u{1b}[2J',
        '--- /dev/null',
        '+++ alice@2/new\\u{1b}[2J',
        '@@ -0,0 +1,1 @@',
        '+new',
        'diff alice@1/same alice@2/same',
        'now executable',
        '',
      ].join('\n'),
    )
    const people = JSON.parse((await at.run('diff', 'bob', 'alice@1', '--json')).stdout)
    expect([people.a, people.b, people.files.map((each: { path: string; kind: string }) => [each.path, each.kind])]).toEqual([
      'bob@2',
      'alice@1',
      [
        ['answer', 'modified'],
        ['data', 'added'],
        ['gone', 'added'],
        ['same', 'added'],
      ],
    ])
    expect(people.files[0].diff).toBe('@@ -1,2 +1,3 @@\n one\n two\n+three')
    expect((await at.run('diff', 'base', 'bob', '--stat')).stdout).toBe('modified  answer  +1 -0\n1 file differs, +1 -0\n')
    expect((await at.run('diff', 'bob@1', 'bob@2')).stdout).toBe('bob@1 and bob@2 are the same\n')

    expect(await at.run('diff', 'alcie', 'bob')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean alice?') })
    expect(await at.run('diff', 'alice@9', 'bob')).toMatchObject({ code: 2, stderr: expect.stringContaining('sealed in round 9') })
    expect(await at.run('diff', '../x@1', 'bob')).toMatchObject({ code: 2, stderr: expect.stringContaining('sealed in round 1') })

    // An archive with a changed byte is not shown as the sealed submission.
    const archive = path.join(at.contest, 'rounds/2/sealed/bob/out.tar')
    const bytes = readFileSync(archive)
    bytes[512] = 0x21
    writeFileSync(archive, bytes)
    expect((await at.run('diff', 'bob@1', 'bob@2')).stdout).toBe('bob@1 and bob@2 are the same\n')
    expect((await at.run('diff', 'alice', 'bob')).stdout).toContain('it is no longer what was sealed')
  })
})

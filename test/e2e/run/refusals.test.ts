import { chmodSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { everyone, inCell, isRoot, makeStage, paddock } from '../../support/cli.ts'

describe.each(everyone)('7: a refusal names the user’s own paths, as %s', (who) => {
  test('the home directory as the project', async () => {
    using stage = makeStage(who)
    for (const [cwd, what] of [
      [stage.home, 'it is your home directory'],
      [stage.root, 'it contains your home directory'],
      ['/', 'it contains your home directory'],
    ] as const) {
      const ran = await paddock(stage, ['run', '--', 'true'], { cwd })
      expect([ran.code, ran.stderr]).toEqual([
        2,
        expect.stringContaining(`paddock: NOT_ALLOWED: ${cwd} cannot be mounted in a cell: ${what}.`),
      ])
    }
  })

  test('a project that cannot be written to', async ({ skip }) => {
    skip(who === 'root' && isRoot, 'root may write everywhere')
    using stage = makeStage(who)
    stage.put('file', 'text')
    stage.own()
    chmodSync(stage.project, 0o555)
    const ran = await paddock(stage, ['run', '--quiet', '--', 'true'])
    expect([ran.code, ran.stderr]).toEqual([
      125,
      `paddock: CELL_FAILED: ${stage.project} cannot be written to (EACCES), so the cell cannot protect .git in it.\n` +
        '  hint: Make it writable, or give the cell a copy: --copy\n',
    ])
    const copied = await inCell(stage, 'cat file', { args: ['--copy'] })
    expect([copied.code, copied.stdout]).toEqual([0, 'text'])
    chmodSync(stage.project, 0o755)
  })

  test('an agent without a credential: the line names the login', async () => {
    using stage = makeStage(who)
    stage.put('bin/claude', '#!/bin/sh\n')
    chmodSync(`${stage.project}/bin/claude`, 0o755)
    stage.own()
    const env = { PATH: `${stage.project}/bin:${stage.env['PATH']}` }
    const ran = await paddock(stage, ['run', '--prompt', 'x', 'claude'], { env })
    expect(ran.stderr).toContain('claude has no credential in this cell. Run: paddock login claude, or name a key: --env ANTHROPIC_API_KEY')
  })

  test('changes of a copy are counted once, by content', async () => {
    using stage = makeStage(who)
    stage.put('same', 'text\n')
    stage.put('other', 'text\n')
    stage.own()
    const ran = await paddock(stage, ['run', '--copy', '--', 'sh', '-c', 'echo text > same; echo new > other'])
    expect(ran.stderr).toMatch(/paddock: done after [^·]*\n/)
    expect(ran.stderr).toMatch(/paddock: copy [0-9a-f]+: 1 file changed/)
  })
})

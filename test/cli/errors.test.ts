import { expect, test } from 'vitest'
import * as z from 'zod'
import { everyone, makeStage, paddock } from '../support/cli.ts'

const errorSchema = z.strictObject({
  schemaVersion: z.literal(1),
  error: z.strictObject({ code: z.string().regex(/^[A-Z_]+$/), message: z.string().min(1), hint: z.string().nullable() }),
})

test.each(everyone)('errors carry their stable code: as text, and as JSON with --json, as %s', async (who) => {
  using stage = makeStage(who)
  const text = await paddock(stage, ['contest', 'status', '/nowhere'])
  expect([text.code, text.stdout, text.stderr.split('\n')[0]]).toEqual([
    2,
    '',
    expect.stringMatching(/^paddock: NOT_FOUND: .*\/nowhere/) as string,
  ])
  for (const [args, code] of [
    [['contest', 'status', '/nowhere', '--json'], 'NOT_FOUND'],
    [['contest', 'nonsense', '--json'], 'BAD_INPUT'],
    [['contest', 'diff', '--json'], 'BAD_INPUT'],
    [['suite', 'status', '--nonsense', '--json'], 'BAD_INPUT'],
  ] as const) {
    const ran = await paddock(stage, args)
    expect([ran.code, ran.stdout]).toEqual([2, ''])
    const lines = ran.stderr.trim().split('\n')
    expect(lines.length).toBe(1)
    expect(errorSchema.parse(JSON.parse(lines[0] ?? '')).error.code).toBe(code)
  }
  // After --, it is an option of another program.
  expect((await paddock(stage, ['run', '--nonsense', '--', 'true', '--json'])).stderr).toMatch(/^paddock: BAD_INPUT: unknown option/)
})

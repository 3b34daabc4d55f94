import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock } from '../../support/cli.ts'

describe.each(everyone)('7: paddock run --report, as %s', (who) => {
  test('a directory is refused before the program starts', async () => {
    using stage = makeStage(who)
    mkdirSync(path.join(stage.project, 'reports'))
    stage.own()
    const ran = await paddock(stage, ['run', '--report', 'reports', '--', 'touch', 'ran'])
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--report reports: this is a directory.') })
    expect(ran.stderr).toContain('--report reports/report.json')
    expect(readdirSync(stage.project)).toEqual(['reports'])
  })

  test('/dev/null is refused and not replaced', async () => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['run', '--report', '/dev/null', '--', 'true'])
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--report /dev/null: this is not a regular file.') })
  })

  test.each([
    [0, 125],
    [3, 3],
  ])('a report that cannot be written costs neither the last lines nor the exit code: %i', async (code, expected) => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['run', '--report', 'report.json', '--', 'sh', '-c', `mkdir report.json; exit ${code}`])
    expect(ran.code).toBe(expected)
    expect(ran.stderr).toMatch(code === 0 ? /^paddock: done after /m : /^paddock: exit 3 after /m)
    expect(ran.stderr).toContain(`paddock: the report could not be written to ${stage.project}/report.json (EISDIR)`)
    expect(readdirSync(stage.project)).toEqual(['report.json'])
  })

  test('a report takes the place of an earlier one', async () => {
    using stage = makeStage(who)
    stage.put('report.json', 'earlier')
    stage.own()
    await paddock(stage, ['run', '--report', 'report.json', '--', 'true'])
    expect(JSON.parse(readFileSync(path.join(stage.project, 'report.json'), 'utf8'))).toMatchObject({ schemaVersion: 1 })
  })
})

import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock } from '../support/cli.ts'

describe.each(everyone)('7: paddock run --copy, as %s', (who) => {
  test('shows at the start that the cell sees a copy, also with --dry-run', async () => {
    using stage = makeStage(who)
    stage.put('file', 'text')
    stage.own()
    const sees = `sees ${stage.project} (a copy, rw)`
    expect((await paddock(stage, ['run', '--dry-run', '--copy', '--', 'true'])).stdout).toContain(sees)
    expect((await paddock(stage, ['run', '--dry-run', '--', 'true'])).stdout).toContain(`sees ${stage.project} (rw)`)
    expect((await paddock(stage, ['run', '--copy', '--', 'true'])).stderr).toContain(sees)
  })

  test('prints the id of the copy with --json, and null after the copy is deleted', async () => {
    using stage = makeStage(who)
    stage.put('file', 'text')
    stage.own()
    const run = async (line: string): Promise<{ copy?: string | null }> =>
      JSON.parse((await paddock(stage, ['run', '--copy', '--json', '--quiet', '--', 'sh', '-c', line])).stdout)
    const { copy } = await run('echo new > made')
    expect((await paddock(stage, ['review', copy ?? ''])).stdout).toContain('made')
    expect((await run('true')).copy).toBeNull()
    expect(JSON.parse((await paddock(stage, ['run', '--json', '--', 'true'])).stdout)).not.toHaveProperty('copy')
  })
})

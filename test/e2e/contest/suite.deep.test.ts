import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, makeStage, paddock, type Stage } from '../../support/cli.ts'

const small = fileURLToPath(new URL('../../../examples/small-suite', import.meta.url))
const variants = fileURLToPath(new URL('../../../examples/variants', import.meta.url))

describe.each(everyone)('paddock suite in real cells, as %s', (who) => {
  let stage: Stage
  let suite: string
  beforeEach(() => {
    stage = makeStage(who)
    suite = path.join(stage.root, 'suite')
    cpSync(small, suite, { recursive: true })
    stage.own()
  })
  afterEach(() => stage[Symbol.dispose]())

  it('the example runs to its leaderboard, and is not run twice', async () => {
    const plan = JSON.parse((await paddock(stage, ['suite', 'run', suite, '--dry-run', '--json'])).stdout)
    expect(plan).toMatchObject({ contests: { all: 6, open: 6 }, open: { participants: 12, judges: 0 } })
    const ran = await paddock(stage, ['suite', 'run', suite])
    expect([ran.code, ran.stdout]).toEqual([
      0,
      expect.stringMatching(/careful and hasty cannot be told apart.*\n(.*\n)*1–2 +careful +100\.0/),
    ])
    expect(ran.stdout).toMatch(/passed all checks +pass@2 +pass\^2 +total time +total cost/)
    expect(ran.stdout).toMatch(/careful .*6 of 6: 100% \(\d+–100%\) +100% +100% /)
    const summary = JSON.parse(readFileSync(path.join(suite, 'report/summary.json'), 'utf8'))
    expect(summary.ranking.map((each: { name: string; passes: { hits: number } }) => [each.name, each.passes.hits])).toEqual([
      ['careful', 6],
      ['hasty', 2],
    ])
    const again = await paddock(stage, ['suite', 'run', suite])
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('0 of 6 contests to run')])
    const status = await paddock(stage, ['suite', 'status', suite])
    expect(status.stdout).toContain('small-suite: 6 of 6 contests are complete')
    expect((await paddock(stage, ['suite', 'report', suite, '--json'])).code).toBe(0)
  })

  it('the example of variants shows which one helps, and which difference it could have seen', async () => {
    const own = path.join(stage.root, 'variants')
    cpSync(variants, own, { recursive: true })
    stage.own()
    const ran = await paddock(stage, ['suite', 'run', own])
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stdout).toContain('solver-hint scores 75.0 points more than solver-base over 8 briefs.')
    expect(ran.stdout).toMatch(/No difference between solver-polite and solver-base can be seen with 8 briefs\. They would show one of \d/)
  })

  it('a mistake is reported with its place, and starts nothing', async () => {
    const file = path.join(suite, 'suite.yaml')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('repeats: 2', 'repeats: 2\nbudget: { money: 0 }'))
    const bad = await paddock(stage, ['suite', 'run', suite])
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('suite.yaml, line 7, column 11: budget.money must be more than 0')])
    writeFileSync(file, text.replace('agent: command', 'agent: command\n      env: [SECRET_OF_MINE]'))
    const refused = await paddock(stage, ['suite', 'run', suite])
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/participants\[0\].env = SECRET_OF_MINE[\s\S]*paddock suite trust/),
    ])
    const shown = await paddock(stage, ['suite', 'trust', suite, '--show'])
    expect([shown.code, shown.stderr]).toEqual([0, expect.stringContaining('it is not trusted')])
    expect((await paddock(stage, ['suite', 'trust', suite])).code).toBe(0)
    const unset = await paddock(stage, ['suite', 'run', suite])
    expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining('SECRET_OF_MINE')])
    const unknown = await paddock(stage, ['suite', 'run', suite, '--only', 'sotr'])
    expect([unknown.code, unknown.stderr]).toEqual([expect.any(Number), expect.stringContaining('Did you mean sort?')])
  })
})

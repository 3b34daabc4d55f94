import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { followsAtif } from '../../adapters/output/trajectory/atif-rules.ts'
import { everyone, makeStage, paddock } from '../../support/cli.ts'

const agent = readFileSync(path.join(import.meta.dirname, '../../fixtures/acp-agent.mjs'), 'utf8')

describe.each(everyone)('paddock run --trajectory, as %s', (who) => {
  test('the run of an agent with a prompt is an ATIF document', async () => {
    using stage = makeStage(who)
    stage.put('agent.mjs', agent)
    stage.own()
    const words = ['acp', 'node', 'agent.mjs', 'good']
    const ran = await paddock(stage, ['run', '--prompt', 'Write answer.txt.', '--trajectory', 'steps.json', ...words])
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('could not')])
    const { agent: about, steps, final_metrics } = followsAtif(readFileSync(path.join(stage.project, 'steps.json'), 'utf8'))
    expect(about).toEqual({ name: 'acp', version: 'unknown' })
    expect(steps.map(({ source, message, reasoning_content: why }) => [source, message, why])).toEqual([
      ['user', 'Write answer.txt.', undefined],
      ['agent', 'I will write.', 'The brief asks for one file.'],
      ['agent', 'It is written.', undefined],
    ])
    expect(steps[1]?.observation?.results).toEqual([{ source_call_id: 't1', content: 'written' }])
    expect(final_metrics).toMatchObject({ total_prompt_tokens: 25, total_cost_usd: 0.25, total_steps: 3 })
  })

  test('it is refused before the start if there are no steps to record, or no file can be written', async () => {
    using stage = makeStage(who)
    mkdirSync(path.join(stage.project, 'there'))
    stage.own()
    for (const words of [
      ['--', 'touch', 'ran'],
      ['--prompt', 'x', '--', 'touch', 'ran'],
      ['acp', 'touch', 'ran'],
    ])
      expect(await paddock(stage, ['run', '--trajectory', 'steps.json', ...words])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--trajectory requires an agent and a prompt.'),
      })
    const ran = await paddock(stage, ['run', '--prompt', 'x', '--trajectory', 'there', 'acp', 'touch', 'ran'])
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--trajectory there: this is a directory.') })
    expect(ran.stderr).toContain('--trajectory there/trajectory.json')
    expect(readdirSync(stage.project)).toEqual(['there'])
  })

  test('a trajectory that cannot be written does not cost the report, and changes only the exit code 0', async () => {
    using stage = makeStage(who)
    stage.put('agent.mjs', `import { mkdirSync } from 'node:fs'\nmkdirSync('steps.json', { recursive: true })\n${agent}`)
    stage.own()
    const files = ['--trajectory', 'steps.json', '--report', 'report.json']
    const ran = await paddock(stage, ['run', '--prompt', 'x', ...files, 'acp', 'node', 'agent.mjs', 'good'])
    expect(ran.code).toBe(125)
    expect(ran.stderr).toContain(`paddock: the trajectory could not be written to ${stage.project}/steps.json (EISDIR)`)
    expect(readdirSync(stage.project)).toContain('report.json')
  })
})

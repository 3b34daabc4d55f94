import { spawn } from '@lydell/node-pty'
import { describe, expect, test } from 'vitest'
import { command, everyone, makeStage, paddock } from '../../support/cli.ts'

describe.each(everyone)('7: paddock run --json, as %s', (who) => {
  test.each([[[]], [['--copy', '--quiet']]])(
    'prints the report of the cell, and the agent’s output on standard error: %j',
    async (more) => {
      using stage = makeStage(who)
      stage.put('file', 'text')
      stage.own()
      const ran = await paddock(stage, ['run', '--json', ...more, '--', 'sh', '-c', 'echo out; echo err >&2; echo new > made; exit 3'])
      expect(ran.code).toBe(3)
      expect(JSON.parse(ran.stdout)).toMatchObject({
        schemaVersion: 1,
        ending: { kind: 'exited', code: 3 },
        changes: { created: ['made'], modified: [] },
      })
      expect(ran.stderr).toMatch(/^out\n(.*\n)*err\n|^err\n(.*\n)*out\n/m)
    },
  )

  test('prints the plan with --dry-run', async () => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['run', '--json', '--dry-run', '--', 'true'])
    expect(JSON.parse(ran.stdout)).toMatchObject({ command: ['true'], egress: { mode: 'allowlist' } })
  })

  test('is refused in a terminal', async () => {
    using stage = makeStage(who)
    const [program, ...rest] = command(who, ['run', '--json', '--', 'touch', 'ran'])
    const pty = spawn(program ?? '', rest, { cols: 120, rows: 30, cwd: stage.project, env: stage.env })
    let text = ''
    pty.onData((data) => {
      text += data
    })
    expect(await new Promise((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)))).toBe(2)
    expect(text).toContain(
      '{"schemaVersion":1,"error":{"code":"BAD_INPUT","message":"--json cannot be used while the program has the terminal."',
    )
  })
})

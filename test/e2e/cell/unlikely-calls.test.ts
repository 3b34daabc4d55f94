import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock } from '../../support/cli.ts'

describe.each(everyone)('7: options that have no effect or cannot work are refused, as %s', (who) => {
  test.each([
    [['--model', 'x', '--', 'true'], '--model requires an agent; it has no effect with a bare command.'],
    [['--base-url', 'http://x.example', '--', 'true'], '--base-url requires an agent'],
    [['--credentials', 'endpoint', '--', 'true'], '--credentials requires an agent'],
    [['--prompt', '', 'claude'], '--prompt is empty.'],
    [['--model', '', 'claude'], '--model is empty.'],
    [['--preset', 'command', '--', 'true'], 'command'],
    [['--', ''], 'The command behind -- is empty.'],
    [['--env', '=x', '--', 'true'], '--env =x: the name of a variable is missing.'],
  ])('%j', async (args, message) => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['run', ...args])
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`paddock: `)])
    expect(ran.stderr).toContain(message)
    expect(ran.stderr).toContain('  hint: ')
  })

  test('a directory whose name is not UTF-8', async () => {
    using stage = makeStage(who)
    const shell = `d=$(printf 'odd-\\377'); mkdir "$d"; cd "$d";`
    const ran = await paddock(stage, ['run', '--', 'true'], { shell })
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('the name of a directory is not UTF-8.')])
  })

  test('a login of an agent that does not exist: only agents with a login are named', async () => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['login', 'cladue'])
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(/There is no login of cladue\.\n {2}hint: Did you mean claude\? The agents are (?!.*command)/)
  })

  const withOpenFiles = (limit: number) => `exec bash -c 'exec 60</dev/null; ulimit -n ${limit}; exec "$@"' bash`

  test('a limit of open files that is too low for the launcher', async () => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['--version'], { under: 'Node 20', shell: withOpenFiles(61) })
    expect([ran.code, ran.stderr]).toEqual([125, expect.stringMatching(/^paddock: .* cannot be started .*\n {2}hint: Raise the limit/)])
  })

  test.each([18, 19, 20, 21, 22, 23, 24])('a limit of %i open files does not make the launcher fail', async (limit) => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['--version'], { under: 'Node 20', shell: withOpenFiles(limit) })
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).not.toContain('TypeError')
  })
})

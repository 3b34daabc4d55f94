import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'

describe.each(everyone)('as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  it('4: a name that does not resolve on this machine is reported once, however often the cell tries it', async () => {
    const once = 'exec 3<>/dev/tcp/model.invalid/80; printf "GET / HTTP/1.1\\r\\nHost: model.invalid\\r\\n\\r\\n" >&3; cat <&3'
    const { stderr } = await paddock(stage, ['run', '--allow', 'model.invalid:80', '--', 'bash', '-c', `(${once}); (${once}); exit 3`])
    expect(
      stderr.split('\n').filter((each) => each.includes('does not resolve')),
      stderr,
    ).toEqual(['paddock: the name model.invalid does not resolve on this machine, so the cell cannot reach it'])
    expect(stderr).toMatch(/paddock: exit 3 .* · could not resolve model\.invalid\n/)
  })

  /** Runs a cell that ends when all of these texts were printed to standard error. Returns what was printed. */
  const until = async (texts: readonly string[], args: readonly string[], script = 'cat'): Promise<string> => {
    const child = startPaddock(stage, ['run', ...args, '--', 'sh', '-c', script], { stdio: 'pipe' })
    let printed = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += String(chunk)
      if (texts.every((each) => printed.includes(each))) child.stdin?.end()
    })
    await once(child, 'close')
    return printed
  }

  it('5: an allowed name that does not resolve is reported before the cell tries it', async () => {
    const line = 'paddock: the name registry.invalid does not resolve on this machine, so the cell cannot reach it\n'
    const printed = await until([line], ['--allow', 'registry.invalid'])
    expect(printed.split(line)).toHaveLength(2)
    expect(printed).toMatch(/paddock: done [^\n]*no file changed\n$/)
  })

  it('5: the first denial of a host is reported when it happens, with the option that allows it', async () => {
    const line = 'paddock: denied tracker.example (not-allowed); to allow it: --allow tracker.example\n'
    const script = 'getent hosts tracker.example; getent hosts tracker.example; cat'
    const printed = await until([line], ['--allow', 'a.test=127.0.0.1'], script)
    expect(printed.split(line)).toHaveLength(2)
    expect(printed).toMatch(/paddock: done [^\n]* · denied tracker\.example\n/)
    const quiet = await paddock(stage, ['run', '--quiet', '--allow', 'a.test=127.0.0.1', '--', 'getent', 'hosts', 'tracker.example'])
    expect(quiet.stderr).toBe('')
  })

  it('3: --only without --retry is refused with the command that works', async () => {
    const contest = { schemaVersion: 1, name: 'x', participants: [{ name: 'y', agent: 'command', command: ['true'] }], judges: [] }
    stage.put('x/contest.yaml', JSON.stringify({ ...contest, checks: [{ name: 'there', command: 'true' }] }))
    stage.put('x/BRIEF.md', 'Do nothing.')
    stage.own()
    const { code, stderr } = await paddock(stage, ['contest', 'run', 'x', '--only', 'y'])
    expect([code, stderr]).toEqual([
      2,
      'paddock: BAD_INPUT: --only requires --retry.\n  hint: Run: paddock contest run --retry --only y x\n',
    ])
  })
})

import { expect, test } from 'vitest'
import { jobStates } from '../../src/fleet/jobs/job.ts'
import { makeStage, paddock } from '../support/cli.ts'

const of = (command: string): string => `${command} --help shows the arguments and options`

test.each([
  [['run', '--alow', 'x', '--', 'true'], "unknown option '--alow'", `Did you mean --allow? ${of('paddock run')}`],
  [['run', '--alow=x', '--', 'true'], "unknown option '--alow=x'", `Did you mean --allow? ${of('paddock run')}`],
  [['run', '--xyzzy', '--', 'true'], "unknown option '--xyzzy'", of('paddock run')],
  [['run', '--egress', 'some', '--', 'true'], '--egress some: there is no such value.', 'Use one of: off, allowlist, public, open'],
  [['job', 'list', '--state=x'], '--state x: there is no such value.', `Use one of: ${jobStates.join(', ')}`],
  [['run', '--memory'], "option '--memory <size>' argument missing", of('paddock run')],
  [['contest', 'diff', 'directory'], "missing required argument 'a'", of('paddock contest diff')],
  [['contest', 'status', '--jsn'], "unknown option '--jsn'", `Did you mean --json? ${of('paddock contest status')}`],
  [['contest', 'rnu'], "unknown command 'rnu'", 'Did you mean run? paddock contest --help shows the commands'],
  [['runn'], "unknown command 'runn'", 'Did you mean run? paddock --help shows the commands'],
  [['--versoin'], "unknown option '--versoin'", 'Did you mean --version? paddock --help shows the commands'],
] as const)('a command line that is not valid leads to the help of its command: %j', async (words, message, hint) => {
  using stage = makeStage('root')
  const text = await paddock(stage, words)
  expect([text.code, text.stdout, text.stderr]).toEqual([2, '', `paddock: BAD_INPUT: ${message}\n  hint: ${hint}\n`])
  if (words[1] === '--memory') return
  const json = await paddock(
    stage,
    [words[0], '--json', ...words.slice(1)].filter((each) => each !== undefined),
  )
  expect([json.code, JSON.parse(json.stderr)]).toEqual([
    2,
    { schemaVersion: 1, error: { code: 'BAD_INPUT', message: expect.any(String) as string, hint: expect.any(String) as string } },
  ])
})

test('the hint of a command line that is not valid is the same with --json', async () => {
  using stage = makeStage('root')
  const { stderr } = await paddock(stage, ['contest', 'status', '--jsno'])
  const json = JSON.parse((await paddock(stage, ['contest', 'status', '--json', '--jsno'])).stderr)
  expect(stderr).toBe(`paddock: BAD_INPUT: ${json.error.message}\n  hint: ${json.error.hint}\n`)
})

test('a group without a command shows its help and no error', async () => {
  using stage = makeStage('root')
  const ran = await paddock(stage, ['contest'])
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(/^Usage: paddock contest (?!.*BAD_INPUT)/s)])
})

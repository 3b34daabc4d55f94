import { chmodSync } from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { PaddockError } from '../../../src/base/errors.ts'
import { hintBeforeAgent } from '../../../src/cli/run/after-agent.ts'
import { everyone, makeStage, paddock } from '../../support/cli.ts'

const before = (option: string, agent: string): string =>
  `  hint: Put ${option} before ${agent}, because what follows ${agent} goes to ${agent} itself\n`

describe.each(everyone)('7: an option that is missing, and was given after the agent, is to be put before it, as %s', (who) => {
  test.each([
    [['--base-url', 'http://model.example', 'opencode', '--model', 'anthropic/x'], '--model', 'opencode'],
    [['--base-url', 'http://model.example', 'opencode', '--model=anthropic/x'], '--model', 'opencode'],
    [['--copy-ignored', 'claude', '--copy'], '--copy', 'claude'],
    [['--worktree-in', '/tmp', 'claude', '--worktree', 'x'], '--worktree', 'claude'],
  ])('%j', async (args, option, agent) => {
    using stage = makeStage(who)
    for (const name of ['claude', 'opencode']) {
      stage.put(`bin/${name}`, '#!/bin/sh\n')
      chmodSync(path.join(stage.project, 'bin', name), 0o755)
    }
    stage.own()
    const ran = await paddock(stage, ['run', '--egress', 'off', ...args], { env: { PATH: `${stage.project}/bin:${stage.env['PATH']}` } })
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(before(option, agent))])
  })
})

test('7: the hint stays if the option was given before the agent, is not named, or comes after --', () => {
  const run = new Command().option('--model <name>').option('--copy').exitOverride()
  run.parse(['--model', 'x'], { from: 'user' })
  const error = new PaddockError('BAD_INPUT', '--model x cannot be used without --copy.')
  for (const words of [['claude', '--model', 'y'], ['claude', '--verbose'], ['claude', '--', '--copy'], ['--copy'], []])
    expect(hintBeforeAgent(error, words, run)).toBe(error)
  expect(hintBeforeAgent(error, ['claude', '--copy'], run)).toMatchObject({
    code: 'BAD_INPUT',
    hint: expect.stringContaining('Put --copy'),
  })
})

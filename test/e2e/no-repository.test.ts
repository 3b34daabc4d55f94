import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { everyone, makeStage, paddock } from '../support/cli.ts'

it.each(everyone)('6: an agent in a project without a repository is started with a line that git init fails there, as %s', async (who) => {
  using stage = makeStage(who)
  const bin = path.join(stage.home, '.local/bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(path.join(bin, 'claude'), '#!/bin/sh\ngit init\ngit status\n')
  chmodSync(path.join(bin, 'claude'), 0o755)
  stage.own()
  const run = ['run', '--env', 'ANTHROPIC_API_KEY=x', '--prompt', 'hi', 'claude']
  const line = 'paddock: this directory has no .git, and git init fails in the cell; if you want a repository, run git init before'
  const { stderr } = await paddock(stage, run)
  expect(stderr).toContain(line)
  // The failure that the line is about.
  expect(stderr).toMatch(/fatal: cannot .*\/\.git\/.*: Read-only file system/)
  expect((await paddock(stage, ['run', '--', 'true'])).stderr).not.toContain('git init')

  mkdirSync(path.join(stage.project, '.git/refs'), { recursive: true })
  mkdirSync(path.join(stage.project, '.git/objects'))
  writeFileSync(path.join(stage.project, '.git/HEAD'), 'ref: refs/heads/main\n')
  stage.own()
  expect((await paddock(stage, run)).stderr).not.toContain('git init')
})

import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { everyone, makeStage, paddock } from '../../support/cli.ts'

it.each(everyone)('6: an agent in a project without a repository is started with a line that git init fails there, as %s', async (who) => {
  using stage = makeStage(who)
  const bin = path.join(stage.home, '.local/bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(path.join(bin, 'claude'), '#!/bin/sh\ngit init\ngit status\n')
  chmodSync(path.join(bin, 'claude'), 0o755)
  stage.put('PLAN.md', 'make an app\n')
  stage.own()
  const run = ['run', '--env', 'ANTHROPIC_API_KEY=x', '--prompt', 'hi', 'claude']
  const line =
    'paddock: this directory has files and no .git, and git init fails in the cell; if you want a repository, run git init before'
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

it.each(everyone)('3: in a project without files a cell makes nothing, so tools that want an empty directory work, as %s', async (who) => {
  using stage = makeStage(who)
  const seen = await paddock(stage, ['run', '--', 'sh', '-c', 'ls -A; git init -q; git config core.fsmonitor bad; touch file .envrc'])
  expect([seen.code, seen.stdout]).toEqual([0, ''])
  expect(seen.stderr).toContain('new repositories, rewritten so that they run nothing: .git (without config: core.fsmonitor)')
  expect(readdirSync(stage.project).sort()).toEqual(['.envrc.quarantined', '.git', 'file'])
})

it.each(everyone)(
  'a project with nothing but a README takes no names of installed editors, so tools that make a project work, as %s',
  async (who) => {
    using stage = makeStage(who)
    mkdirSync(path.join(stage.home, '.vscode'))
    for (const each of ['README.md', 'LICENSE', '.gitignore', '.git/HEAD']) stage.put(each, 'ref: refs/heads/main\n')
    for (const each of ['refs', 'objects']) mkdirSync(path.join(stage.project, '.git', each))
    stage.own()
    const script = 'ls -Ad .vscode; mkdir .vscode && rmdir .vscode && mkdir .vscode && echo bad > .vscode/tasks.json'
    const seen = await paddock(stage, ['run', '--', 'sh', '-c', script])
    expect([seen.code, seen.stdout], seen.stderr).toEqual([0, ''])
    expect(readdirSync(stage.project)).toContain('.vscode.quarantined')
    expect((await paddock(stage, ['run', '--strict-names', '--', 'rmdir', '.vscode'])).stderr).toMatch(/busy/)
    stage.put('src/a', '')
    stage.own()
    expect((await paddock(stage, ['run', '--', 'rmdir', '.vscode'])).stderr).toMatch(/busy/)
  },
)

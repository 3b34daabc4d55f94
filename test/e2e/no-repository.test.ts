import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { everyone, makeStage, paddock, startPaddock } from '../support/cli.ts'

const commit = 'git -c user.name=a -c user.email=a@b commit -qm one --allow-empty'

it.each(everyone)(
  '3: git init works in a project with files, and git on the host finds nothing until the cell ends, as %s',
  async (who) => {
    using stage = makeStage(who)
    stage.put('PLAN.md', 'make an app\n')
    stage.own()
    const script = `git init -q -b first && git add . && ${commit} && git config core.fsmonitor "touch ${stage.root}/ran" && git remote add origin https://git.test/a; echo made; read -r go`
    const child = startPaddock(stage, ['run', '--', 'sh', '-c', script])
    const ended = new Promise((resolve) => child.once('close', resolve))
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    // A directory without a HEAD is not a repository.
    expect(readdirSync(path.join(stage.project, '.git'))).toEqual(['paddock-new'])
    child.stdin?.end('go\n')
    await ended
    expect(readFileSync(path.join(stage.project, '.git/HEAD'), 'utf8')).toBe('ref: refs/heads/first\n')
    const config = readFileSync(path.join(stage.project, '.git/config'), 'utf8')
    expect([config.includes('https://git.test/a'), config.includes('fsmonitor')]).toEqual([true, false])
    expect(existsSync(path.join(stage.project, '.git/paddock-new'))).toBe(false)
    const next = await paddock(stage, ['run', '--', 'git', 'log', '--format=%s'])
    expect([next.code, next.stdout]).toEqual([0, 'one\n'])
  },
)

it.each(everyone)(
  '3: nothing is left of a place for a repository that no cell made, nor of one of a killed Paddock, as %s',
  async (who) => {
    using stage = makeStage(who)
    stage.put('PLAN.md', 'make an app\n')
    stage.own()
    await paddock(stage, ['run', '--', 'true'])
    expect(readdirSync(stage.project)).toEqual(['PLAN.md'])
    const child = startPaddock(stage, ['run', '--', 'sh', '-c', `git init -q; ${commit}; echo made; sleep 60`])
    const ended = new Promise((resolve) => child.once('close', resolve))
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    child.kill('SIGKILL')
    await ended
    const next = await paddock(stage, ['run', '--', 'git', 'log', '--format=%s'])
    expect([next.code, next.stdout]).toEqual([0, 'one\n'])
    expect(readdirSync(path.join(stage.project, '.git'))).not.toContain('paddock-new')
  },
)

it.each(everyone)('3: a repository that the user makes meanwhile stays, and so does the work of the cell, as %s', async (who) => {
  using stage = makeStage(who)
  stage.put('PLAN.md', 'make an app\n')
  stage.own()
  const child = startPaddock(stage, ['run', '--', 'sh', '-c', `git init -q; ${commit}; echo made; read -r go`])
  const ended = new Promise((resolve) => child.once('close', resolve))
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  writeFileSync(path.join(stage.project, '.git/HEAD'), 'ref: refs/heads/mine\n')
  stage.own()
  child.stdin?.end('go\n')
  await ended
  expect(readFileSync(path.join(stage.project, '.git/HEAD'), 'utf8')).toBe('ref: refs/heads/mine\n')
  const made = readdirSync(path.join(stage.project, '.git/paddock-new'))
  expect(made.filter((each) => each.startsWith('HEAD') || each === 'objects')).toEqual(['HEAD.quarantined', 'objects'])
})

it.each(everyone)('3: in a project without files a cell makes nothing, so tools that want an empty directory work, as %s', async (who) => {
  using stage = makeStage(who)
  const seen = await paddock(stage, ['run', '--', 'sh', '-c', 'ls -A; git init -q; touch file .envrc'])
  expect([seen.code, seen.stdout]).toEqual([0, ''])
  expect(readdirSync(stage.project).sort()).toEqual(['.envrc.quarantined', '.git', 'file'])
})

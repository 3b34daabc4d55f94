import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostProgram } from '../../src/system/host-program.ts'
import { everyone, inCell, makeStage, paddock, type Stage } from '../support/cli.ts'

const hasNpm = hostProgram('npm', '/usr/bin:/bin') !== null

describe.each(everyone)('the tools in a cell, as %s,', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  it('5: npm uses the registry that its preset allows, and the project takes precedence', async ({ skip }) => {
    skip(!hasNpm, 'needs npm in a directory of the system')
    stage.put(
      '../home/.npmrc',
      'registry=https://registry.corp.test/npm/\n@mine:registry=https://mine.corp.test/\n//registry.corp.test/npm/:_authToken=npm_s3cret\n',
    )
    stage.own()
    const script = 'npm config get registry; npm config get @mine:registry; grep -rl s3cret /etc/paddock; env | grep s3cret; :'
    const ran = await paddock(stage, ['run', '--preset', 'npm', '--', 'sh', '-c', script])
    expect(ran.stdout, ran.stderr).toBe('https://registry.corp.test/npm/\nhttps://mine.corp.test/\n')
    expect(ran.stderr).toContain('paddock: the token for registry.corp.test in ')
    stage.put('.npmrc', 'registry=https://project.test/\n')
    stage.own()
    expect((await inCell(stage, 'npm config get registry', { args: ['--preset', 'npm'] })).stdout).toBe('https://project.test/\n')
    expect((await inCell(stage, 'npm config get registry', { args: ['--allow', 'a.test'] })).stdout).toBe('https://project.test/\n')
  })

  it('5: pip and uv have the index that the preset allows, and no plan contains its password', async () => {
    stage.put('../home/.config/pip/pip.conf', '[global]\nindex-url = https://me:hunter2@pypi.corp.test/simple\n')
    stage.own()
    const args = ['--preset', 'pypi']
    expect((await inCell(stage, 'cat /etc/pip.conf /etc/uv/uv.toml', { args })).stdout).toBe(
      '[global]\nindex-url = https://pypi.corp.test/simple\n[[index]]\nurl = "https://pypi.corp.test/simple"\ndefault = true\n',
    )
    const plan = await paddock(stage, ['run', ...args, '--dry-run', '--json', '--', 'true'])
    expect(plan.stdout).toContain('https://pypi.corp.test/simple')
    expect(plan.stdout).not.toContain('hunter2')
    expect((await inCell(stage, 'ls /etc/pip.conf /etc/uv 2>&1; :', { args: ['--allow', 'a.test'] })).stdout).toMatch(
      /No such file[\s\S]*No such file/,
    )
  })
})

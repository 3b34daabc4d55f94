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

  it('go, gem and bundler have the registries that their presets allow', async ({ skip }) => {
    skip(
      ['go', 'gem', 'bundle'].some((each) => hostProgram(each, '/usr/bin:/bin') === null),
      'needs go, gem and bundle of the system',
    )
    stage.put('../home/.config/go/env', 'GOPROXY=https://me:hunter2@go.corp.test,direct\nGOPRIVATE=git.corp.test/*\nGOSUMDB=off\n')
    stage.put('../home/.gemrc', '---\n:sources:\n- https://me:hunter2@gems.corp.test/\n')
    stage.put('../home/.bundle/config', '---\nBUNDLE_MIRROR__ALL: "https://mirror.corp.test/"\n')
    stage.own()
    const script =
      'go env GOPROXY GOPRIVATE GOSUMDB; gem sources; bundle config get mirror.all; env | grep hunter2; grep -r hunter2 /etc/paddock; :'
    const ran = await inCell(stage, script, { args: ['--preset', 'go', '--preset', 'gem'] })
    expect(ran.stdout, ran.stderr).toMatch(/^https:\/\/go\.corp\.test\/,direct\ngit\.corp\.test\/\*\noff\n/)
    expect(ran.stdout).toContain('\nhttps://gems.corp.test/\n')
    expect(ran.stdout).toContain('"https://mirror.corp.test/"')
    expect(ran.stdout).not.toContain('hunter2')
  })

  it('cargo has its file above the project', async () => {
    stage.put(
      '../home/.cargo/config.toml',
      '[source.crates-io]\nreplace-with = "c"\n[source.c]\nregistry = "sparse+https://crates.corp.test/"\n',
    )
    stage.own()
    const args = ['--preset', 'cargo']
    expect((await inCell(stage, 'cat /.cargo/config.toml; echo x > /.cargo/config.toml', { args })).stdout).toBe(
      '[source.crates-io]\nreplace-with = "of-this-machine"\n[source.of-this-machine]\nregistry = "sparse+https://crates.corp.test/"\n',
    )
  })
})

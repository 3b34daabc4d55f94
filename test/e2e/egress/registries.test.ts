import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostProgram } from '../../../src/system/host-program.ts'
import { everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'

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

  it('Maven takes what a project inherits from the mirror of this machine, and nothing over plain HTTP from others', async ({ skip }) => {
    skip(hostProgram('mvn', '/usr/bin:/bin') === null, 'needs mvn of the system')
    const parent = '<groupId>corp</groupId><artifactId>parent</artifactId><version>1</version>'
    const pom = (content: string): string => `<project><modelVersion>4.0.0</modelVersion>${content}<packaging>pom</packaging></project>`
    const asked: string[] = []
    const server = createServer(({ url = '', headers }, response) => {
      asked.push(url, ...(headers.authorization === undefined ? [] : [headers.authorization]))
      response.writeHead(url === '/r/corp/parent/1/parent-1.pom' ? 200 : 404).end(pom(parent))
    }).listen(0, '127.0.0.1')
    try {
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const host = `repo.corp.test:${port}`
      stage.put(
        '../home/.m2/settings.xml',
        `<settings><servers><server><id>corp</id><username>me</username><password>hunter2</password></server></servers>
        <mirrors><mirror><id>corp</id><mirrorOf>central</mirrorOf><url>http://${host}/r</url></mirror></mirrors></settings>`,
      )
      stage.put('pom.xml', pom(`<parent>${parent}</parent><artifactId>a</artifactId>`))
      stage.put(
        'other/pom.xml',
        pom(
          `<parent>${parent.replace('>1<', '>2<')}</parent><artifactId>b</artifactId><repositories><repository><id>x</id><url>http://plain.test/</url></repository></repositories>`,
        ),
      )
      stage.own()
      const args = ['--preset', 'maven', '--allow', `${host}=127.0.0.1:${port}`]
      const script =
        'mvn -B -q validate && echo inherited; mvn -B -f other/pom.xml validate; grep -r hunter2 /etc/maven /etc/paddock ~/.m2; :'
      const ran = await inCell(stage, script, { args })
      expect(ran.stdout, ran.stderr).toContain('inherited\n')
      expect(asked).toContain('/r/corp/parent/1/parent-1.pom')
      expect(asked.join()).not.toMatch(/Basic/)
      expect(ran.stdout).toMatch(/maven-default-http-blocker/)
      expect(ran.stdout).not.toContain('hunter2')
    } finally {
      server.close()
    }
  })
})

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { certificatesOf, javaKeyStore, trustedIn } from '../../../src/cell/plan/java/key-store.ts'
import { makeIssuer } from '../../../src/egress/inspect/tls/authority.ts'
import { hostProgram } from '../../../src/system/host-program.ts'
import { everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'
import { internet } from '../../support/inspect-lab.ts'

const has = (program: string): boolean => hostProgram(program, '/usr/bin:/bin') !== null
const ofSystem = '/etc/ssl/certs/java/cacerts'
const ownAuthority = makeIssuer(['*']).certificate

describe.each(everyone)('Java in a cell, as %s,', (who) => {
  let stage: Stage
  let server: Server
  let asked: string[]
  let host: string
  let env: Record<string, string>
  let cacerts: string
  beforeEach(async () => {
    stage = makeStage(who)
    asked = []
    const poms: Record<string, string> = {
      '/r/corp/parent/1/parent-1.pom':
        '<project><modelVersion>4.0.0</modelVersion><groupId>corp</groupId><artifactId>parent</artifactId><version>1</version><packaging>pom</packaging></project>',
    }
    server = createServer(internet.issue('repo.corp.test'), ({ url = '', headers: { authorization } }, response) => {
      asked.push(`${url} ${authorization ?? 'without a password'}`)
      if (authorization === undefined) return void response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end()
      response.writeHead(poms[url] === undefined ? 404 : 200).end(poms[url])
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    host = `repo.corp.test:443=127.0.0.1:${(server.address() as AddressInfo).port}`
    writeFileSync(path.join(stage.root, 'roots.pem'), internet.certificate)
    env = { NODE_EXTRA_CA_CERTS: path.join(stage.root, 'roots.pem') }
    // A Java of a version manager, with an authority that the user has added to it.
    cacerts = path.join(stage.home, '.sdkman/candidates/java/21/lib/security/cacerts')
    mkdirSync(path.dirname(cacerts), { recursive: true })
    writeFileSync(cacerts, javaKeyStore(certificatesOf(ownAuthority)))
    stage.own()
  })
  afterEach(() => {
    server.close()
    stage[Symbol.dispose]()
  })
  const storesIn = async (args: string[], given = env): Promise<Record<string, readonly Buffer[]>> => {
    const script = [cacerts, ofSystem].map((each) => `base64 -w0 ${each} 2>/dev/null; echo`).join('; ')
    const ran = await inCell(stage, `${script}; cat /etc/paddock/ca.pem /etc/paddock/ca-bundle.pem 2>/dev/null | base64 -w0`, {
      env: given,
      args,
    })
    const [managed = '', system = '', pem = ''] = ran.stdout.split('\n').map((each) => Buffer.from(each, 'base64'))
    const all = certificatesOf(pem.toString())
    return { managed: trustedIn(Buffer.from(managed)), system: trustedIn(Buffer.from(system)), all }
  }

  it('trusts the authorities that other programs trust, and those that the user has added to it', async () => {
    const before = readFileSync(cacerts)
    const { managed = [], system = [], all = [] } = await storesIn(['--inspect', host])
    const texts = (certificates: readonly Buffer[]): Set<string> => new Set(certificates.map((each) => each.toString('base64')))
    expect(all.length).toBeGreaterThan(1)
    expect(texts(managed)).toEqual(texts([...all, ...certificatesOf(ownAuthority)]))
    if (existsSync(ofSystem)) expect([...texts(all)].filter((each) => !texts(system).has(each))).toEqual([])
    expect(readFileSync(cacerts)).toEqual(before)
  })

  it('trusts without an inspected host what the variables of the user name', async () => {
    const { managed = [], all } = await storesIn(['--allow', host])
    const [corporate] = certificatesOf(internet.certificate)
    expect(all).toContainEqual(corporate)
    expect(managed).toContainEqual(corporate)
  })

  it('has the files of the machine if no host is inspected, and no variable names another', async () => {
    const { managed = [], system = [], all } = await storesIn(['--allow', host], {})
    expect(all).toEqual([])
    expect(managed).toEqual(certificatesOf(ownAuthority))
    if (existsSync(ofSystem)) expect(system).toEqual(trustedIn(readFileSync(ofSystem)))
  })

  it('lets Maven log in at a registry with a placeholder for the password in its settings', async ({ skip }) => {
    skip(!has('mvn') || !existsSync(ofSystem), 'needs mvn of the system')
    const settings = '<server><id>corp</id><username>me</username><password>hunter2</password></server>'
    stage.put(
      '../home/.m2/settings.xml',
      `<settings><servers>${settings}</servers>
      <mirrors><mirror><id>corp</id><mirrorOf>central</mirrorOf><url>https://repo.corp.test/r</url></mirror></mirrors></settings>`,
    )
    stage.put(
      'pom.xml',
      '<project><modelVersion>4.0.0</modelVersion><parent><groupId>corp</groupId><artifactId>parent</artifactId><version>1</version></parent><artifactId>a</artifactId><packaging>pom</packaging></project>',
    )
    stage.own()
    const secret = ['--secret', 'MAVEN_PASSWORD=env:REAL_PASSWORD@repo.corp.test']
    const script =
      'mvn -B -q validate && echo inherited; cat /etc/maven/settings.xml; env; grep -rs hunter2 /etc ~ . /tmp /run /proc/self/environ; :'
    const run = (more: string[]) => {
      const args = ['run', '--preset', 'maven', '--allow', host, ...more, '--', 'sh', '-c', script]
      return paddock(stage, args, { env: { ...env, REAL_PASSWORD: 'hunter2' } })
    }
    const without = await run([])
    expect(without.stderr).toContain('; to give it a placeholder: --secret MAVEN_PASSWORD=vault:NAME@repo.corp.test')
    expect(asked.join()).not.toContain('Basic')
    const ran = await run(secret)
    expect(ran.stdout, ran.stderr).toContain('inherited\n')
    expect(asked).toContain(`/r/corp/parent/1/parent-1.pom Basic ${Buffer.from('me:hunter2').toString('base64')}`)
    expect(ran.stdout).toContain('<password>$' + '{env.MAVEN_PASSWORD}</password>')
    expect(ran.stdout + ran.stderr).not.toMatch(/hunter2|MAVEN_PASSWORD=vault/)
  })

  it('reaches an inspected host, without a line about it', async ({ skip }) => {
    skip(!has('java') || !existsSync(ofSystem), 'needs java of the system')
    stage.put(
      'A.java',
      'class A { public static void main(String[] a) throws Exception { System.out.println(((java.net.HttpURLConnection) new java.net.URL("https://repo.corp.test/x").openConnection()).getResponseCode()); } }',
    )
    const javac = hostProgram('javac', '/usr/bin:/bin')
    if (javac === null) return skip('needs javac of the system')
    execFileSync(javac, ['-nowarn', 'A.java'], { cwd: stage.project, stdio: 'ignore' })
    stage.own()
    const ran = await inCell(stage, 'java -cp . A', { env, args: ['--inspect', host] })
    expect([ran.stdout, ran.stderr]).toEqual(['401\n', ''])
    expect(asked).toEqual(['/x without a password'])
  })
})

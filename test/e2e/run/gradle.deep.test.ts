import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { hostProgram } from '../../../src/system/host-program.ts'
import { everyone, makeStage, paddock } from '../../support/cli.ts'
import { internet } from '../../support/inspect-lab.ts'

const pom =
  '<project><modelVersion>4.0.0</modelVersion><groupId>corp</groupId><artifactId>parent</artifactId><version>1</version><packaging>pom</packaging></project>'
const build = `repositories { maven { url corpUrl; credentials { username corpUsername; password corpPassword } } }
configurations { c }
dependencies { c 'corp:parent:1@pom' }
task show { doLast { println configurations.c.files*.name } }
`

describe.each(everyone)('the preset gradle, as %s', (who) => {
  it('lets Gradle log in at the repository of gradle.properties with a placeholder for the password', async ({ skip }) => {
    skip(hostProgram('gradle', '/usr/bin:/bin') === null || !existsSync('/etc/ssl/certs/java/cacerts'), 'needs gradle of the system')
    using stage = makeStage(who)
    const asked: string[] = []
    await using server = createServer(internet.issue('repo.corp.test'), ({ url = '', headers: { authorization } }, response) => {
      asked.push(`${url} ${authorization ?? 'without a password'}`)
      if (authorization === undefined) return void response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end()
      const content = url === '/r/corp/parent/1/parent-1.pom' ? pom : undefined
      response.writeHead(content === undefined ? 404 : 200).end(content)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const host = `repo.corp.test:443=127.0.0.1:${(server.address() as AddressInfo).port}`
    writeFileSync(path.join(stage.root, 'roots.pem'), internet.certificate)
    stage.put('../home/.gradle/gradle.properties', 'corpUrl=https://repo.corp.test/r\ncorpUsername=me\ncorpPassword=hunter2\n')
    stage.put('build.gradle', build)
    stage.own()
    const secret = ['--secret', 'ORG_GRADLE_PROJECT_corpPassword=env:REAL_PASSWORD@repo.corp.test']
    const script = 'gradle --no-daemon -q show; env; grep -rs hunter2 /etc ~ . /tmp /run /proc/self/environ; :'
    const ran = await paddock(stage, ['run', '--preset', 'gradle', '--allow', host, ...secret, '--', 'sh', '-c', script], {
      env: { NODE_EXTRA_CA_CERTS: path.join(stage.root, 'roots.pem'), REAL_PASSWORD: 'hunter2' },
    })
    expect(ran.stdout, ran.stderr).toContain('[parent-1.pom]\n')
    expect(asked).toContain(`/r/corp/parent/1/parent-1.pom Basic ${Buffer.from('me:hunter2').toString('base64')}`)
    expect(ran.stdout).toContain('ORG_GRADLE_PROJECT_corpUrl=https://repo.corp.test/r\n')
    expect(ran.stdout + ran.stderr).not.toContain('hunter2')
  })
})

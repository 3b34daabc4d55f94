import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage } from '../support/cli.ts'
import { openForgeServer } from '../support/forge-server.ts'
import { internet } from '../support/inspect-lab.ts'

/** Tests GitHub's own program, as installed by the system's packages. */
describe.each(everyone)('gh in a cell, as %s', (who) => {
  it('works with the named repository by a placeholder, and changes only that one', async () => {
    const token = `gho_${randomBytes(18).toString('hex')}`
    using stage = makeStage(who)
    await using forge = await openForgeServer(token)
    const pins = ['github.com', 'api.github.com'].flatMap((each) => ['--allow', `${each}=127.0.0.1:${forge.port}`])
    const roots = path.join(stage.root, 'roots.pem')
    writeFileSync(roots, internet.certificate)
    mkdirSync(path.join(stage.home, '.config/gh'), { recursive: true })
    writeFileSync(path.join(stage.home, '.config/gh/hosts.yml'), `github.com:\n    user: me\n    oauth_token: ${token}\n`, { mode: 0o600 })
    stage.own()
    const ran = await inCell(
      stage,
      `exec 2>&1; cd /tmp; git clone -q git@github.com:me/private.git it && cd it
       gh api repos/me/private --jq .did; gh workflow list; gh run list
       gh api repos/pub/open --jq .did; gh api repos/me/other
       gh api -X POST repos/me/private/keys -f title=x; gh api -X POST repos/me/private/labels -f name=x --jq .did
       gh api graphql -f query='{viewer{login}}'; gh auth token || true`,
      {
        env: { NODE_EXTRA_CA_CERTS: roots },
        args: [...pins, '--repo', 'github.com/me/private=write', '--rule', 'allow POST api.github.com/repos/me/private/labels'],
      },
    )
    expect(ran.stdout).toMatch(/^GET \/repos\/me\/private\n/)
    expect(ran.stdout).toContain('CI of it')
    expect(ran.stdout).toContain('completed\tsuccess')
    expect(ran.stdout).toContain('GET /repos/pub/open\n')
    expect(ran.stdout).toContain('gh: Not Found (HTTP 404)')
    expect(ran.stdout).toContain('denied by rule "deny * /repos/*/*/keys/**" (repo)')
    expect(ran.stdout).toContain('POST /repos/me/private/labels\n')
    expect(ran.stdout).toContain('POST api.github.com/graphql')
    expect(ran.stdout).not.toContain(token)
    const asked = forge.told
      .filter(({ host, token: sent }) => host.startsWith('api.') && sent === token)
      .map(({ method, url }) => `${method} ${url.split('?')[0]}`)
    expect(
      [...new Set(asked)].every((each) =>
        /^(?:GET \/repos\/me\/private(?:\/actions\/(?:runs|workflows.*))?|POST \/repos\/me\/private\/labels)$/.test(each),
      ),
      asked.join(),
    ).toBe(true)
  })
})

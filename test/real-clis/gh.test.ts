import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage } from '../support/cli.ts'
import { openForgeServer } from '../support/forge-server.ts'
import { internet } from '../support/inspect-lab.ts'

/**
 * Everyday commands and their results with a token for one repository. `rest`: REST that is permitted. `asked`: a change that somebody
 * permitted. `graphql`: denied with the REST form. `option`: denied with the option that permits it. `never`: no option does.
 */
const everyday = {
  'gh api repos/me/private --jq .did': 'rest',
  'gh api repos/me/private/pulls --paginate --jq .did': 'rest',
  'gh api repos/me/private/actions/caches --jq .did': 'rest',
  'gh run list': 'rest',
  'gh run view 7': 'rest',
  'gh run watch 7': 'rest',
  'gh workflow list': 'rest',
  'gh workflow view ci.yml': 'rest',
  'gh pr diff 1': 'rest',
  'gh run rerun 7': 'asked',
  'gh run cancel 7': 'asked',
  'gh workflow run ci.yml --ref main': 'asked',
  'gh workflow disable ci.yml': 'asked',
  'gh label create x --color ff0000': 'asked',
  'gh issue list': 'graphql',
  'gh issue create --title a --body b': 'graphql',
  'gh pr list': 'graphql',
  'gh pr checkout 1': 'graphql',
  'gh label list': 'graphql',
  'gh release view v1': 'graphql',
  'gh repo view': 'graphql',
  'gh repo fork': 'option',
  'gh repo edit --add-topic x': 'option',
  'gh api repos/me/private/traffic/views': 'option',
  'gh api -X POST repos/me/private/statuses/1a2b -f state=success': 'option',
  'gh secret list': 'never',
  'gh repo deploy-key list': 'never',
} as const

/** Returns the kind of a command's result. */
function resultOf(text: string, code: string): string {
  if (code === '0') return 'permitted'
  if (/GraphQL cannot be held to one repository, so use REST: gh api repos\/me\/private\/pulls/.test(text)) return 'graphql'
  if (/To permit it: --repo github\.com(?:=write)? ?\(/.test(text)) return 'option'
  return text.includes('--repo never permits it, because it ') ? 'never' : text
}

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
    expect(ran.stdout).toContain('gh: paddock: denied by rule "deny * /graphql" (repo): POST api.github.com/graphql. ')
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

  it('does everyday work by REST, and prints what permits the rest', async () => {
    const token = `gho_${randomBytes(18).toString('hex')}`
    using stage = makeStage(who)
    await using forge = await openForgeServer(token)
    const pins = ['github.com', 'api.github.com'].flatMap((each) => ['--allow', `${each}=127.0.0.1:${forge.port}`])
    const roots = path.join(stage.root, 'roots.pem')
    writeFileSync(roots, internet.certificate)
    const commands = Object.keys(everyday).map((each) => `echo "### ${each}"; ${each}; printf '\\n=> %s\\n' $?`)
    const ran = await inCell(
      stage,
      ['exec 2>&1 </dev/null; cd /tmp; git clone -q git@github.com:me/private.git it; cd it', ...commands].join('\n'),
      {
        env: { NODE_EXTRA_CA_CERTS: roots, GH_TOKEN: token },
        args: [
          ...[...pins, '--env', 'GH_TOKEN', '--repo', 'github.com/me/private=write'],
          ...['--rule', 'allow POST,PUT api.github.com/repos/me/private/actions/**'],
          ...['--rule', 'allow POST api.github.com/repos/me/private/labels'],
        ],
      },
    )
    const results = [...ran.stdout.matchAll(/^### (.*)\n([\s\S]*?)^=> (\d+)$/gm)].map(([, command = '', text = '', code = '']) => [
      command,
      resultOf(text, code),
    ])
    expect(Object.fromEntries(results)).toEqual(
      Object.fromEntries(
        Object.entries(everyday).map(([command, kind]) => [command, kind === 'rest' || kind === 'asked' ? 'permitted' : kind]),
      ),
    )
    const told = forge.told.filter(({ token: sent }) => sent === token).map(({ method, url }) => `${method} ${url}`)
    expect(told).toContain('GET /repos/me/private/pulls?page=2')
    expect(told).toContain('POST /repos/me/private/actions/workflows/3/dispatches')
    expect(told.filter((each) => /graphql|traffic|topics|forks|secrets|keys|statuses/.test(each))).toEqual([])
  })
})

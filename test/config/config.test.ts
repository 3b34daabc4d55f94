import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PaddockError } from '../../src/base/errors.ts'
import { defaultPlace } from '../../src/config/base-place.ts'
import { basePlace, effective, layered, settingsOf } from '../../src/config/layers.ts'
import { parseConfig } from '../../src/config/read-config.ts'
import { readProjectFile, trust, trustOf, untrust } from '../../src/config/trusted-projects.ts'
import { temporary } from '../support/temporary.ts'

const known = { agents: ['claude', 'codex'], presets: ['github', 'npm'] }
const user = (text: string) => parseConfig(Buffer.from(text), '/c/config.yaml', 'user', known)
const project = (text: string) => parseConfig(Buffer.from(text), '/p/.paddock.yaml', 'project', known)
const problemOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof PaddockError) return error.message
    throw error
  }
  throw new Error('nothing was wrong')
}

describe('a configuration file', () => {
  it('7: configures nothing if it is empty or holds comments only', () => {
    for (const text of ['', '\n', '# later\n']) expect(user(text).config).toEqual({ schemaVersion: 1 })
  })

  it('names repositories for your own runs, where the cell has a network', () => {
    const file = user('schemaVersion: 1\nrun:\n  repos: [github.com/me/it=write]\n')
    const values = (egress: string) => effective(layered([file]), egress).filter(({ key }) => key === 'run.repos')
    expect(values('allowlist')).toEqual([{ key: 'run.repos', value: 'github.com/me/it=write', origin: '/c/config.yaml:3' }])
    expect([values('public').length, values('off').length]).toEqual([1, 0])
    expect(problemOf(() => user('schemaVersion: 1\nrun:\n  repos: [github.com/me]\n'))).toContain(
      '/c/config.yaml:3: run.repos[0] is not a repository: ',
    )
  })

  it('says for each agent how its credential reaches it', () => {
    const file = user('schemaVersion: 1\nagents:\n  claude:\n    credentials: volume:work\n')
    expect(layered([file]).filter(({ key }) => key === 'agents.claude.credentials')).toEqual([
      { key: 'agents.claude.credentials', value: 'volume:work', origin: '/c/config.yaml:4' },
    ])
    expect(problemOf(() => user('schemaVersion: 1\nagents:\n  claude:\n    credentials: mount\n'))).toBe(
      '/c/config.yaml:4: agents.claude.credentials must be one of placeholder, endpoint, snapshot, volume, none, or volume:NAME',
    )
  })

  it('is refused with the file, the line and the nearest name', () => {
    expect(problemOf(() => user('schemaVersion: 1\nrun:\n  egres: off\n'))).toBe(
      '/c/config.yaml:3: run.egres is not a key of the configuration; did you mean egress?',
    )
    expect(problemOf(() => user('schemaVersion: 1\nagents:\n  claud:\n    model: x\n'))).toBe(
      '/c/config.yaml:3: agents.claud is not an agent; did you mean claude?',
    )
    expect(problemOf(() => user('schemaVersion: 1\nagents:\n  claude:\n    modle: x\n'))).toContain('did you mean model?')
    expect(problemOf(() => project('schemaVersion: 1\nrun:\n  egress: { presets: [nmp] }\n'))).toContain(
      '/p/.paddock.yaml:3: run.egress.presets[0] names no preset (nmp); did you mean npm?',
    )
    expect(problemOf(() => user('schemaVersion: 1\nrun:\n  limits: {timeout: soon}\n  egress: {allow: ["a b"]}\n'))).toMatch(
      /:3: .*timeout must be a number and a unit.*\n.*:4: run.egress.allow\[0\] is not a host/,
    )
    expect(problemOf(() => user('schemaVersion: 1\nrun:\n  egress: off\n  allow: [a.example]\n'))).toBe(
      '/c/config.yaml:3: run.egress must be a group of keys, such as { policy: off }\n/c/config.yaml:4: run.allow is not a key of the configuration; it is run.egress.allow now',
    )
    expect(problemOf(() => user('run: {}\n'))).toContain('config.yaml:1: schemaVersion is missing')
    expect(problemOf(() => user('schemaVersion: 1\nrun: {egress: off, egress: open}\n'))).toContain('/c/config.yaml:2:')
  })

  it('of a project cannot pin, open, write, hold values, send elsewhere, or take the login away', () => {
    for (const each of [
      'run: {egress: {allow: ["a.example=10.0.0.1"]}}',
      'run: {egress: {policy: public}}',
      'run: {egress: {policy: open}}',
      'run: {egress: {block: ["203.0.113.7"]}}',
      'run: {rw: [/srv]}',
      'run: {env: [TOKEN=x]}',
      'run: {login: true}',
      'run: {repos: [github.com/me/it]}',
      'run: {ro: [relative]}',
      'run: {ro: [~/a, ../b]}',
      'agents: {claude: {baseUrl: "https://a.example"}}',
      'agents: {claude: {credentials: snapshot}}',
      'run: {secrets: ["A=vault:a"]}',
    ])
      expect([each, problemOf(() => project(`schemaVersion: 1\n${each}\n`)).startsWith('/p/.paddock.yaml:2')]).toEqual([each, true])
  })

  it('never fails but with a sentence, whatever is in it', () => {
    const word = fc.constantFrom(
      'schemaVersion: 1',
      'run:',
      '  allow:',
      ' - ',
      '[',
      '{',
      '&a',
      '*a',
      '<<:',
      '!!js',
      '\n',
      '\t',
      '"',
      "'",
      '%',
      '__proto__:',
      'agents:',
      '1',
      '~',
      '\u0000',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.array(word, { maxLength: 30 }).map((each) => Buffer.from(each.join(''))),
        ),
        (bytes) => {
          try {
            parseConfig(Buffer.from(bytes), 'f', 'project', known)
          } catch (error) {
            expect(error).toBeInstanceOf(PaddockError)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('layers', () => {
  const files = [
    user(
      'schemaVersion: 1\nrun:\n  egress:\n    policy: off\n    allow: [a.example]\n  limits: {timeout: 10m}\nagents:\n  claude: {model: big, args: [-x, -y]}\n',
    ),
    project(
      'schemaVersion: 1\nrun:\n  egress:\n    policy: allowlist\n    allow:\n      - b.example:8080\nagents:\n  claude: {args: [-z]}\n',
    ),
  ]

  it('a later file counts over an earlier one, lists add up, and each value knows its line', () => {
    const found = layered(files).map((each) => `${each.key}=${each.value} ${each.origin}`)
    expect(found).toEqual([
      'agents.claude.args=-z /p/.paddock.yaml:8',
      'agents.claude.model=big /c/config.yaml:8',
      'run.backend=auto default',
      'run.copy=false default',
      'run.copyIgnored=false default',
      'run.deps=own default',
      'run.egress.allow=a.example /c/config.yaml:5',
      'run.egress.allow=b.example:8080 /p/.paddock.yaml:6',
      'run.egress.policy=allowlist /p/.paddock.yaml:4',
      'run.limits.timeout=10m /c/config.yaml:6',
      'run.login=true default',
      'run.posture=L2 default',
      'run.trifecta=warn default',
      'run.webTools=true default',
    ])
  })

  it('the file of a project raises or holds the isolation level, and does not lower it', () => {
    const levels = (own: string | null, of: string) => {
      const files = [
        user(`schemaVersion: 1\n${own === null ? '' : `run: { posture: ${own} }\n`}`),
        project(`schemaVersion: 1\nrun: { posture: ${of} }\n`),
      ]
      const { posture, origins } = basePlace(files)
      return `${posture} ${origins.posture?.split(':')[0] ?? 'default'}`
    }
    expect([levels(null, 'L1'), levels(null, 'L2'), levels(null, 'L3')]).toEqual([
      'L2 default',
      'L2 /p/.paddock.yaml',
      'L3 /p/.paddock.yaml',
    ])
    expect([levels('L1', 'L0'), levels('L1', 'L2'), levels('L3', 'L2')]).toEqual([
      'L1 /c/config.yaml',
      'L2 /p/.paddock.yaml',
      'L3 /c/config.yaml',
    ])
  })

  it('names the place of cells: level and backend of the user, each with its line, or the defaults', () => {
    const own = user('schemaVersion: 1\nrun:\n  backend: bubblewrap\n')
    expect(basePlace([own])).toEqual({
      posture: 'L2',
      backend: 'bubblewrap',
      origins: { posture: null, backend: '/c/config.yaml:3: run.backend bubblewrap' },
    })
    expect(basePlace([])).toEqual(defaultPlace)
  })

  it.each([
    ['posture: L1', 'posture: L2', 'run.posture=L2 /p/.paddock.yaml:3'],
    ['posture: L2', 'posture: L1', 'run.posture=L2 /c/config.yaml:3'],
    ['trifecta: ask', 'trifecta: forbid', 'run.trifecta=forbid /p/.paddock.yaml:3'],
    ['trifecta: forbid', 'trifecta: warn', 'run.trifecta=forbid /c/config.yaml:3'],
    ['trifecta: ask', 'trifecta: ask', 'run.trifecta=ask /p/.paddock.yaml:3'],
    ['copy: true', 'trifecta: ask', 'run.trifecta=ask /p/.paddock.yaml:3'],
    ['webTools: false', 'webTools: true', 'run.webTools=false /c/config.yaml:3'],
    ['webTools: true', 'webTools: false', 'run.webTools=false /p/.paddock.yaml:3'],
  ])('%s of the user and %s of a project is %s', (own, theirs, expected) => {
    const both = [user(`schemaVersion: 1\nrun:\n  ${own}\n`), project(`schemaVersion: 1\nrun:\n  ${theirs}\n`)]
    const key = expected.split('=', 1)[0]
    expect(
      layered(both)
        .filter((each) => each.key === key)
        .map((each) => `${each.key}=${each.value} ${each.origin}`),
    ).toEqual([expected])
  })

  it('hosts count only for an allowlist', () => {
    expect(effective(layered(files), 'off').filter((each) => each.key === 'run.egress.allow')).toEqual([])
  })

  it('a file changes only the settings that it names', () => {
    const [, own] = files
    if (own === undefined) throw new Error('no file')
    expect(settingsOf(own).map((each) => each.key)).toEqual(['run.egress.policy', 'run.egress.allow', 'agents.claude.args'])
  })
})

describe('trust', () => {
  it('is for one content at one place', async () => {
    await using place = await temporary()
    const store = place.at('state/trusted.json')
    mkdirSync(place.at('p'))
    writeFileSync(place.at('p/.paddock.yaml'), 'schemaVersion: 1\n')
    const file = await readProjectFile(place.at('p'))
    if (file === null) throw new Error('no file')
    expect(await trustOf(store, '/p', file.sha256)).toBe('unknown')
    await trust(store, '/p', file.sha256)
    expect([await trustOf(store, '/p', file.sha256), await trustOf(store, '/q', file.sha256)]).toEqual(['trusted', 'unknown'])
    writeFileSync(place.at('p/.paddock.yaml'), 'schemaVersion: 1\nrun: {egress: {allow: [evil.example]}}\n')
    expect(await trustOf(store, '/p', (await readProjectFile(place.at('p')))?.sha256 ?? '')).toBe('changed')
    expect([await untrust(store, '/p'), await untrust(store, '/p')]).toEqual([true, false])
    expect(JSON.parse(readFileSync(store, 'utf8'))).toEqual({ schemaVersion: 1, projects: {} })
  })

  it('a link or an empty file is never read as settings', async () => {
    await using place = await temporary()
    mkdirSync(place.at('p'))
    writeFileSync(place.at('elsewhere'), 'schemaVersion: 1\n')
    expect(await readProjectFile(place.at('p'))).toBeNull()
    symlinkSync(place.at('elsewhere'), place.at('p/.paddock.yaml'))
    await expect(readProjectFile(place.at('p'))).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
  })
})

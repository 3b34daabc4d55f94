import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseHostPattern } from '../../../src/egress/policy/host-pattern.ts'
import { readPresetFacts } from '../../../src/egress/policy/preset-facts.ts'
import { type PresetFacts, presetEntries } from '../../../src/egress/policy/presets.ts'
import { registriesIn } from '../../../src/egress/policy/registry-settings.ts'

const none: PresetFacts = { pypi: [], npm: [], apt: [] }
const urls = (tool: 'pypi' | 'npm' | 'apt', file: string, text: string) => registriesIn(tool, { path: file, text }).map(({ url }) => url)

describe('what the tools are configured with', () => {
  test('pip', () => {
    const text = [
      '[global]',
      'timeout = 60',
      'index-url = https://user:secret@one.example/simple',
      '# index-url = https://no.example',
      'extra-index-url =',
      '    https://two.example:8443/simple',
      '    http://three.example',
      'cert = /x',
      '[install]',
      'index_url: https://four.example',
    ].join('\n')
    expect(urls('pypi', 'pip.conf', text)).toEqual([
      'https://user:secret@one.example/simple',
      'https://two.example:8443/simple',
      'http://three.example',
      'https://four.example',
    ])
  })

  test('npm', () => {
    const text =
      'registry=https://one.example/\n; registry=https://no.example\n@mine:registry = "https://two.example/npm"\n//one.example/:_authToken=x\nfund=false\n'
    expect(urls('npm', '.npmrc', text)).toEqual(['https://one.example/', 'https://two.example/npm'])
  })

  test('apt', () => {
    const lines =
      '# deb http://no.example x\ndeb [arch=amd64 signed-by=/k] https://one.example/debian stable main\ndeb-src http://two.example/ ./\n'
    expect(urls('apt', 'sources.list', lines)).toEqual(['https://one.example/debian', 'http://two.example/'])
    const stanzas =
      'Types: deb\n# URIs: http://no.example\nURIs: http://one.example/debian\n http://two.example\nSuites: stable\n\nEnabled: no\nURIs: http://off.example\n\nuris: https://three.example\n'
    expect(urls('apt', 'a.sources', stanzas)).toEqual(['http://one.example/debian', 'http://two.example', 'https://three.example'])
  })
})

describe('presetEntries', () => {
  test('github is made of exact names that the host patterns accept', () => {
    const entries = presetEntries('github', none)
    expect(entries.find(({ host }) => host === 'github.com')?.ports).toEqual([22, 443])
    for (const entry of entries) expect(parseHostPattern(entry.host, 'preset')).toBe(entry.host)
    expect(entries.every(({ internal, source }) => !internal && source === 'github')).toBe(true)
  })

  test('registries become entries by host, with the ports of their URLs', () => {
    const npm = ['https://one.example/a', 'https://one.example:8443/', 'http://two.example'].map((url) => ({ url, from: '.npmrc' }))
    expect(presetEntries('npm', { ...none, npm })).toEqual([
      { host: 'one.example', ports: [443, 8443], internal: false, source: 'npm' },
      { host: 'two.example', ports: [80], internal: false, source: 'npm' },
    ])
  })

  test('without a usable registry it says what to set, and never shows the URL, which may hold a password', () => {
    expect(() => presetEntries('pypi', none)).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', hint: expect.stringContaining('--allow') }),
    )
    const npm = [
      { url: 'http://me:hunter2@127.0.0.1:4873/', from: '.npmrc' },
      { url: 'file:///x', from: '.npmrc' },
    ]
    const thrown = (() => {
      try {
        presetEntries('npm', { ...none, npm })
      } catch (error) {
        return error as Error
      }
      return null
    })()
    expect(thrown?.message).toContain('127.0.0.1')
    expect(thrown?.message).not.toContain('hunter2')
  })

  test('an unknown name is answered with the nearest known one, agents included', () => {
    expect(() => presetEntries('githib', none)).toThrow(/did you mean github\?/)
    expect(() => presetEntries('cluade', none, { claude: [] })).toThrow(/did you mean claude\?/)
    expect(() => presetEntries('constructor', none)).toThrow(/no preset/)
    const claude = [{ host: 'api.vendor.example', ports: [443], internal: false, source: 'claude' }]
    expect(presetEntries('claude', none, { claude })).toBe(claude)
  })
})

describe('readPresetFacts', () => {
  let root = ''
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'paddock-presets-'))
    await mkdir(path.join(root, 'etc/apt/sources.list.d'), { recursive: true })
    await mkdir(path.join(root, 'home'))
    await writeFile(path.join(root, 'etc/pip.conf'), '[global]\nindex-url = https://pip.example/simple\n')
    await writeFile(path.join(root, 'etc/apt/sources.list.d/a.sources'), 'URIs: http://apt.example/debian\n')
    await writeFile(path.join(root, 'etc/apt/sources.list.d/b.sources.disabled'), 'URIs: http://off.example/debian\n')
  })
  afterAll(() => rm(root, { recursive: true }))

  test('files, variables, and the tool itself where they say nothing, asked outside of any project', async () => {
    const asked: unknown[] = []
    const run = async (argv: readonly string[], cwd: string) => {
      asked.push([argv.slice(0, 3), cwd])
      return 'https://default.example/\n'
    }
    const home = path.join(root, 'home')
    const facts = await readPresetFacts(['pypi', 'npm', 'apt', 'npm'], {
      root,
      home,
      env: { PIP_EXTRA_INDEX_URL: 'https://extra.example' },
      run,
    })
    expect(facts.pypi.map(({ url }) => url)).toEqual(['https://extra.example', 'https://pip.example/simple'])
    expect(facts.npm).toEqual([{ url: 'https://default.example/', from: 'npm config get registry' }])
    expect(facts.apt.map(({ url }) => url)).toEqual(['http://apt.example/debian'])
    expect(asked).toEqual([[['npm', 'config', 'get'], home]])
  })

  test('a tool that is not there leaves its preset empty', async () => {
    const run = () => Promise.reject(new Error('not found'))
    expect(
      await readPresetFacts(['npm', 'pypi'], { root: path.join(root, 'nowhere'), home: path.join(root, 'home'), env: {}, run }),
    ).toEqual(none)
  })
})

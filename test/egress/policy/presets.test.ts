import { access, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseHostPattern } from '../../../src/egress/policy/host-pattern.ts'
import { readPresetFacts } from '../../../src/egress/policy/preset-facts.ts'
import { type PresetFacts, presetEntries } from '../../../src/egress/policy/presets.ts'
import { registriesIn } from '../../../src/egress/policy/registry-settings.ts'
import { zipOf } from '../../support/zip.ts'

const none: PresetFacts = {}
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
    const settings = registriesIn('npm', { path: '.npmrc', text })
    expect(settings.map(({ use, url }) => [use, url])).toEqual([
      ['main', 'https://one.example/'],
      ['@mine', 'https://two.example/npm'],
      ['token', 'https://one.example/'],
    ])
    const named = registriesIn('npm', { path: '.npmrc', text: `//two.example/npm/:_authToken=\${TWO}\n` })
    expect(named).toEqual([{ url: 'https://two.example/npm/', from: '.npmrc', use: 'token', variable: 'TWO' }])
  })

  test('yarn and uv', () => {
    expect(urls('npm', '.yarnrc.yml', 'nodeLinker: node-modules\nnpmRegistryServer: "https://one.example/npm"\n')).toEqual([
      'https://one.example/npm',
    ])
    const toml = [
      'index-url = "https://main.example/simple"',
      'extra-index-url = ["https://a.example/simple", "https://b.example/simple"]',
      '[[index]]',
      'name = "c"',
      'url = "https://c.example/simple"',
      '[[index]]',
      'default = true',
      'url = "https://d.example/simple"',
    ].join('\n')
    expect(registriesIn('pypi', { path: 'uv.toml', text: toml }).map(({ use, url }) => [use, url])).toEqual([
      ['main', 'https://main.example/simple'],
      ['more', 'https://a.example/simple'],
      ['more', 'https://b.example/simple'],
      ['more', 'https://c.example/simple'],
      ['main', 'https://d.example/simple'],
    ])
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
    const npm = ['https://one.example/a', 'https://one.example:8443/', 'http://two.example'].map((url) => ({
      url,
      from: '.npmrc',
      use: 'main' as const,
    }))
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
      { url: 'http://me:hunter2@127.0.0.1:4873/', from: '.npmrc', use: 'main' as const },
      { url: 'file:///x', from: '.npmrc', use: 'main' as const },
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

  const put = async (file: string, text: string): Promise<string> => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), text, { mode: 0o755 })
    return path.join(root, file)
  }

  test('files, variables, and the constants of the tool where they say nothing; no tool runs', async () => {
    const cli = await put('lib/node_modules/npm/bin/npm-cli.js', `#!/bin/sh\ntouch ${root}/ran\n`)
    await mkdir(path.join(root, 'bin'))
    await symlink(cli, path.join(root, 'bin/npm'))
    const source = await put(
      'lib/node_modules/npm/node_modules/@npmcli/config/lib/definitions/definitions.js',
      "  registry: new Definition('registry', {\n    default: 'https://default.example/',\n  }),\n",
    )
    const host = {
      root,
      home: path.join(root, 'home'),
      env: { PIP_EXTRA_INDEX_URL: 'https://extra.example' },
      program: (name: string) => (name === 'npm' ? path.join(root, 'bin/npm') : null),
    }
    const facts = await readPresetFacts(['pypi', 'npm', 'apt', 'npm'], host)
    expect(facts.pypi?.map(({ url }) => url)).toEqual(['https://extra.example', 'https://pip.example/simple'])
    expect(facts.npm).toEqual([{ url: 'https://default.example/', from: source, use: 'default' }])
    expect(facts.apt?.map(({ url }) => url)).toEqual(['http://apt.example/debian'])
    // The file of npm's package, then that of its prefix.
    const own = await put('lib/node_modules/npm/npmrc', 'registry=https://own.example/\n')
    expect((await readPresetFacts(['npm'], host)).npm).toEqual([{ url: 'https://own.example/', from: own, use: 'main' }])
    const prefix = await put('etc/npmrc', 'registry=https://prefix.example/\n')
    expect((await readPresetFacts(['npm'], host)).npm?.[0]).toEqual({ url: 'https://prefix.example/', from: prefix, use: 'main' })
    await expect(access(path.join(root, 'ran'))).rejects.toThrow('ENOENT')
  })

  test("pip's constants are read from the packages of the system", async () => {
    const source = await put(
      'other/usr/lib/python3/dist-packages/pip/_internal/models/index.py',
      'PyPI = PackageIndex("https://index.example/", file_storage_domain="files.example")\n',
    )
    const host = { root: path.join(root, 'other'), home: path.join(root, 'home'), env: {}, program: () => null }
    expect((await readPresetFacts(['pypi'], host)).pypi).toEqual([
      { url: 'https://index.example/simple', from: source, use: 'default' },
      { url: 'https://files.example', from: source, use: 'default' },
    ])
  })

  test("Go's variables take precedence over its file, and each has its own default", async () => {
    const go = await put('go/bin/go', '')
    const source = await put('go/go.env', 'GOPROXY=https://default.example,direct\nGOSUMDB=sum.example\n')
    await put('home/.config/go/env', 'GOPROXY=https://file.example\nGOPRIVATE=git.example\n')
    const host = { root, home: path.join(root, 'home'), env: { GOPROXY: 'https://env.example' }, program: () => go }
    const { go: found = [] } = await readPresetFacts(['go'], host)
    expect(found.map(({ url, variable, text }) => [url, variable, text])).toEqual([
      ['', 'GOPROXY', 'https://env.example'],
      ['https://env.example', undefined, undefined],
      ['', 'GOPRIVATE', 'git.example'],
      ['https://sum.example', undefined, undefined],
    ])
    expect(found.at(-1)).toMatchObject({ use: 'default', from: source })
    expect(presetEntries('go', { go: found }).map((each) => each.host)).toEqual(['env.example', 'sum.example'])
    const older = await put('older/src/cmd/go/internal/cfg/cfg.go', '\tGOPROXY    = envOr("GOPROXY", "https://older.example,direct")\n')
    await put('older/bin/go', '')
    const again = await readPresetFacts(['go'], { ...host, env: { GOENV: 'off' }, program: () => path.join(root, 'older/bin/go') })
    expect(again.go).toEqual([{ url: 'https://older.example', use: 'default', from: older }])
  })

  test('cargo, RubyGems and bundler', async () => {
    const host = { root, home: path.join(root, 'home'), env: {}, program: () => null }
    await put('home/.cargo/config.toml', '[registries.new]\nindex = "sparse+https://new.example/"\n')
    const config = await put('home/.cargo/config', '[registries.old]\nindex = "sparse+https://old.example/"\n')
    expect((await readPresetFacts(['cargo'], host)).cargo).toEqual([{ url: 'sparse+https://old.example/', use: '@old', from: config }])
    const env = { CARGO_HOME: path.join(root, 'none'), CARGO_REGISTRIES_MY_OWN_INDEX: 'sparse+https://own.example/' }
    expect((await readPresetFacts(['cargo'], { ...host, env })).cargo).toMatchObject([
      { url: 'sparse+https://own.example/', use: '@my-own' },
    ])
    const source = await put(
      'usr/lib/ruby/vendor_ruby/rubygems/defaults.rb',
      '  def self.default_sources\n    %w[https://gems.example/]\n  end\n',
    )
    await put('home/.bundle/config', '---\nBUNDLE_MIRROR__ALL: "https://mirror.example/"\n')
    expect((await readPresetFacts(['gem'], host)).gem).toMatchObject([
      { url: 'https://mirror.example/', use: '@BUNDLE_MIRROR__ALL' },
      { url: 'https://gems.example/', use: 'default', from: source },
    ])
    await put('home/.gemrc', ':sources:\n  - https://mine.example/\n')
    expect((await readPresetFacts(['gem'], host)).gem?.map(({ url }) => url)).toEqual(['https://mine.example/', 'https://mirror.example/'])
  })

  test('Maven: mirrors, active repositories without one, and the default repository in its own archive', async () => {
    const pom = `<project><repositories><repository><id>central</id><url>https://default.example/maven2</url></repository></repositories></project>`
    const at = { root, home: path.join(root, 'mavens'), env: {}, program: () => path.join(root, 'opt/bin/mvn') }
    await put('opt/bin/mvn', '')
    const jar = await put('opt/lib/maven-model-builder-3.jar', '')
    await writeFile(jar, zipOf('org/apache/maven/model/pom-4.0.0.xml', pom))
    const global = await put(
      'opt/conf/settings.xml',
      `<settings xmlns="x"><!-- <mirror> --><mirrors><mirror><id>maven-default-http-blocker</id><mirrorOf>external:http:*</mirrorOf>
      <url>http://0.0.0.0/</url><blocked>true</blocked></mirror><mirror><id>own</id><mirrorOf>*</mirrorOf><url>https://not.example</url></mirror></mirrors></settings>`,
    )
    const blocker = { url: '', use: 'setting', variable: 'blocked:maven-default-http-blocker', text: 'external:http:*', from: global }
    const user = (text: string): Promise<string> => put('mavens/.m2/settings.xml', `<?xml version="1.0"?>\n<settings>${text}</settings>`)
    const profile = (id: string, url: string): string =>
      `<profile><id>p-${id}</id><repositories><repository><id>${id}</id><url>${url}</url><snapshots><enabled>false</enabled></snapshots></repository></repositories></profile>`
    const mirror = (of: string): string =>
      `<mirrors><mirror><id>own</id><mirrorOf>${of}</mirrorOf><url>https://mirror.example/a&amp;b</url></mirror></mirrors>`
    const file = await user(
      `${mirror('central, extra')}<servers><server><id>own</id><password>hunter2</password></server></servers>
      <profiles>${profile('extra', 'https://extra.example/')}${profile('more', 'https://more.example/')}${profile('plain', 'http://plain.example/')}${profile('off', 'https://off.example/')}</profiles>
      <activeProfiles><activeProfile>p-extra</activeProfile><activeProfile>p-more</activeProfile><activeProfile>p-plain</activeProfile></activeProfiles>`,
    )
    const { maven = [] } = await readPresetFacts(['maven'], at)
    expect(maven).toEqual([
      { url: 'https://mirror.example/a&b', use: '@mirror:own:central,extra', from: file },
      { url: 'https://mirror.example/a&b', use: 'token', login: { id: 'own', user: '' }, from: file },
      { url: '', use: 'setting', variable: 'repository:extra:r', text: 'https://extra.example/', from: file },
      { url: 'https://more.example/', use: '@repository:more:r', from: file },
      { url: '', use: 'setting', variable: 'repository:plain:r', text: 'http://plain.example/', from: file },
      blocker,
    ])
    expect(presetEntries('maven', { maven }).map(({ host }) => host)).toEqual(['mirror.example', 'more.example'])
    await user(mirror('*,!central'))
    expect((await readPresetFacts(['maven'], at)).maven?.slice(1)).toEqual([
      blocker,
      { url: 'https://default.example/maven2', use: 'default', from: jar },
    ])
    await user('<mirrors>')
    expect((await readPresetFacts(['maven'], at)).maven?.map(({ url }) => url)).toEqual(['', 'https://not.example'])
  })

  test('Gradle and NuGet: the files of the user, then those of the machine up to a clear', async () => {
    const at = { root, home: path.join(root, 'builders'), env: {}, program: () => null }
    await put('builders/.gradle/gradle.properties', 'corpUrl=https://gradle.example/\n')
    expect((await readPresetFacts(['gradle'], at)).gradle?.map(({ url }) => url)).toEqual(['https://gradle.example/'])
    const sources = (...content: string[]): string => `<configuration><packageSources>${content.join('')}</packageSources></configuration>`
    const source = (key: string, host: string): string => `<add key="${key}" value="https://${host}.example/" />`
    const urlsOf = async () => (await readPresetFacts(['nuget'], at)).nuget?.map(({ url }) => url)
    await put('builders/.nuget/NuGet/NuGet.Config', sources(source('a', 'user')))
    await put('builders/.nuget/config/more.config', sources(source('b', 'more')))
    await put('etc/opt/NuGet/Config/m.Config', sources(source('a', 'hidden'), source('c', 'machine')))
    expect(await urlsOf()).toEqual(['https://user.example/', 'https://more.example/', 'https://machine.example/'])
    await put('builders/.nuget/config/more.config', sources(source('x', 'gone'), '<clear />', source('b', 'more')))
    expect(await urlsOf()).toEqual(['https://user.example/', 'https://more.example/'])
  })

  test('a tool that is not there leaves its preset empty', async () => {
    const nowhere = { root: path.join(root, 'nowhere'), home: path.join(root, 'nowhere'), env: {}, program: () => null }
    expect(await readPresetFacts(['npm', 'pypi', 'cargo', 'go', 'gem', 'maven', 'gradle', 'nuget'], nowhere)).toEqual({
      ...{ npm: [], pypi: [], cargo: [], go: [], gem: [], maven: [], gradle: [], nuget: [] },
    })
  })
})

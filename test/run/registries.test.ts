import { describe, expect, test } from 'vitest'
import { presetEntries } from '../../src/egress/policy/presets.ts'
import { type RegistryTool, registriesIn } from '../../src/egress/policy/registry-settings.ts'
import { registriesInCell } from '../../src/run/registries.ts'

/** Returns a reference to a variable in the syntax of .npmrc. */
const ref = (name: string): string => `\${${name}}`
const placeholder = 'pdk-placeholder'
const secrets = (...names: string[]) => ({
  has: (name: string) => names.includes(name),
  placeholder: (name: string) => (names.includes(name) ? placeholder : undefined),
})

function inCell(tool: RegistryTool, path: string, text: string, ...names: string[]) {
  const facts = { npm: [], pypi: [], apt: [], [tool]: registriesIn(tool, { path, text }) }
  const made = registriesInCell(facts, secrets(...names))
  return { ...made, files: Object.fromEntries(made.files.map((each) => [each.target, each.content])), facts }
}

describe('the registry settings of a cell', () => {
  const npmrc = [
    'registry=https://registry.corp.test/npm/',
    '@mine:registry=https://mine.corp.test',
    '//registry.corp.test/npm/:_authToken=npm_secret',
    `//mine.corp.test/:_authToken=${ref('MINE_TOKEN')}`,
    '//other.test/:_authToken=npm_other',
    'cafile=/x',
  ].join('\n')

  test('for npm are a file that every other setting takes precedence over, without tokens', () => {
    const { files, env, notes } = inCell('npm', '/h/.npmrc', npmrc)
    expect(files).toEqual({
      '/etc/paddock/npmrc': 'registry=https://registry.corp.test/npm/\n@mine:registry=https://mine.corp.test/\n',
    })
    expect(env).toEqual({
      NPM_CONFIG_GLOBALCONFIG: '/etc/paddock/npmrc',
      YARN_REGISTRY: 'https://registry.corp.test/npm/',
      YARN_NPM_REGISTRY_SERVER: 'https://registry.corp.test/npm/',
    })
    expect(notes).toEqual([
      'the token for registry.corp.test in /h/.npmrc is not in the cell; to give it a placeholder: --secret NPM_TOKEN=vault:NAME@registry.corp.test',
      'the token for mine.corp.test in /h/.npmrc is not in the cell; to give it a placeholder: --secret MINE_TOKEN=vault:NAME@mine.corp.test',
    ])
  })

  test('for npm name the variables of placeholders', () => {
    const { files, notes } = inCell('npm', '/h/.npmrc', npmrc, 'NPM_TOKEN', 'MINE_TOKEN')
    expect(files['/etc/paddock/npmrc']).toContain(
      `//registry.corp.test/npm/:_authToken=${ref('NPM_TOKEN')}\n//mine.corp.test/:_authToken=${ref('MINE_TOKEN')}\n`,
    )
    expect(notes).toEqual([])
  })

  const pip =
    '[global]\nindex-url = https://me:hunter2@pypi.corp.test/simple\nextra-index-url =\n  https://a.test/simple\n  https://b.test/simple\n'

  test('for pip and uv are the files of the system, without passwords', () => {
    const { files, env, notes } = inCell('pypi', '/h/pip.conf', pip)
    expect(files).toEqual({
      '/etc/pip.conf':
        '[global]\nindex-url = https://pypi.corp.test/simple\nextra-index-url = https://a.test/simple https://b.test/simple\n',
      '/etc/uv/uv.toml':
        '[[index]]\nurl = "https://a.test/simple"\n[[index]]\nurl = "https://b.test/simple"\n[[index]]\nurl = "https://pypi.corp.test/simple"\ndefault = true\n',
    })
    expect(env).toEqual({})
    expect(notes).toEqual([
      'the password for pypi.corp.test in /h/pip.conf is not in the cell; to give it a placeholder: --secret PYPI_TOKEN=vault:NAME@pypi.corp.test',
    ])
    const kept = inCell('pypi', '/h/pip.conf', pip, 'PYPI_TOKEN')
    expect(kept.files['/etc/pip.conf']).toContain(`index-url = https://me:${placeholder}@pypi.corp.test/simple\n`)
    expect(kept.notes).toEqual([])
  })

  test('contain no user name that may be a token, and no path that looks like one', () => {
    const { files, notes } = inCell(
      'pypi',
      '/h/pip.conf',
      'index-url = https://tok3n@pypi.corp.test/aB3dE5gH7jK9mN1p/simple\n',
      'PYPI_TOKEN',
    )
    expect(JSON.stringify(files)).not.toMatch(/tok3n|aB3dE5gH7/)
    expect(notes).toHaveLength(1)
  })

  test.each(['NPMSECRETabcdEFghIJ', 'abcd.efgh:ijkl~1234', 'PIPSECRET3%61bcdefgh12345', '550e8400-e29b-41d4-a716-446655440000'])(
    'contain no path with %s',
    (token) => {
      const { files, notes } = inCell('npm', '/h/.npmrc', `registry=https://registry.corp.test/${token}/npm/\n`)
      expect(files).toEqual({ '/etc/paddock/npmrc': 'registry=https://registry.corp.test/\n' })
      expect(notes).toEqual([expect.stringContaining('the path of registry.corp.test in /h/.npmrc looks like a token')])
    },
  )

  test.each(['artifactory/api/npm/npm-virtual-all', 'MyCompanyRepositories/npm', 'nexus-repository-manager.v3/REPOSITORY-GROUP-12'])(
    'contain the path %s',
    (path) => {
      const { files } = inCell('npm', '/h/.npmrc', `registry=https://registry.corp.test/${path}/\n`)
      expect(files).toEqual({ '/etc/paddock/npmrc': `registry=https://registry.corp.test/${path}/\n` })
    },
  )

  test('are absent for the defaults of a tool, and for what is not a URL', () => {
    const defaults = [{ url: 'https://default.test/', from: 'x', use: 'default' as const }]
    expect(registriesInCell({ npm: defaults, pypi: defaults, apt: [] }, secrets())).toEqual({ files: [], env: {}, notes: [] })
    expect(inCell('npm', '.npmrc', `registry=${ref('REGISTRY')}\n`).files).toEqual({})
  })

  test('for cargo are a file above every project, without tokens', () => {
    const config = [
      '[source.crates-io]\nreplace-with = "a"\n[source.a]\nreplace-with = "b"\n[source.b]',
      'registry = "sparse+https://me:hunter2@crates.corp.test/index/"',
      '[registries.mine]\nindex = "https://mine.corp.test/git"\ntoken = "s3cret"\n[build]\nrustc-wrapper = "x"\n',
    ].join('\n')
    const { files, env, notes, facts } = inCell('cargo', '/h/.cargo/config.toml', config)
    expect(files).toEqual({
      '/.cargo/config.toml':
        '[registries.mine]\nindex = "https://mine.corp.test/git"\n[source.crates-io]\nreplace-with = "of-this-machine"\n[source.of-this-machine]\nregistry = "sparse+https://crates.corp.test/index/"\n',
    })
    expect(env).toEqual({})
    expect(notes).toEqual([
      expect.stringContaining('the password for crates.corp.test in /h/.cargo/config.toml is not in the cell'),
      expect.stringContaining('--secret CARGO_REGISTRIES_MINE_TOKEN=vault:NAME@mine.corp.test'),
    ])
    expect(presetEntries('cargo', facts).map(({ host }) => host)).toEqual(['crates.corp.test', 'mine.corp.test'])
    const same = inCell(
      'cargo',
      'c',
      '[source.crates-io]\nreplace-with = "mine"\n[registries.mine]\nindex = "sparse+https://mine.corp.test/"\n',
    )
    expect(same.files['/.cargo/config.toml']).toBe(
      '[registries.mine]\nindex = "sparse+https://mine.corp.test/"\n[source.crates-io]\nreplace-with = "mine"\n',
    )
    expect(inCell('cargo', 'c', '[source.crates-io]\nreplace-with = "v"\n[source.v]\ndirectory = "vendor"\n').files).toEqual({})
    expect(inCell('cargo', 'c', '[source.crates-io]\nreplace-with = "crates-io"\nbroken').files).toEqual({})
  })

  test('for Go are its variables, without passwords', () => {
    const text =
      'GOPROXY=https://me:hunter2@goproxy.corp.test/go|https://b.test,direct\nGOPRIVATE=git.corp.test/*\nGOSUMDB=sum.corp.test+1a2b\nGOFLAGS=-x\n'
    const { files, env, notes, facts } = inCell('go', '/h/env', text)
    expect(files).toEqual({})
    expect(env).toEqual({
      GOPROXY: 'https://goproxy.corp.test/go|https://b.test/,direct',
      GOPRIVATE: 'git.corp.test/*',
      GOSUMDB: 'sum.corp.test+1a2b',
    })
    expect(notes).toEqual([expect.stringContaining('--secret GOPROXY_PASSWORD=vault:NAME@goproxy.corp.test')])
    expect(presetEntries('go', facts).map(({ host }) => host)).toEqual(['goproxy.corp.test', 'b.test', 'sum.corp.test'])
    expect(inCell('go', '/h/env', text, 'GOPROXY_PASSWORD').env['GOPROXY']).toContain(`https://me:${placeholder}@goproxy.corp.test/go|`)
  })

  test('for Go contain no password in any form of an item', () => {
    const text =
      'GOPROXY=https://ok.test,HTTPS://me:hunter2@go2.corp.test/,socks5://me:hunter2@x.test\nGOPRIVATE=me:hunter2@git.corp.test/*,b.test\nGONOSUMDB=HTTPS://me:hunter2@z.test\n'
    const { env } = inCell('go', '/h/env', text)
    expect(JSON.stringify(env)).not.toMatch(/hunter2|me:/)
    expect(env).toMatchObject({ GOPROXY: 'https://ok.test/,https://go2.corp.test/,socks5://x.test', GOPRIVATE: 'git.corp.test/*,b.test' })
  })

  test('for bundler contain no mirror of a URL with a password', () => {
    const config =
      '---\nBUNDLE_MIRROR__HTTPS://ME:HUNTER2@A__TEST/: "https://gems.corp.test/m"\nBUNDLE_MIRROR__HTTPS://B__TEST/: "https://b.corp.test/"\n'
    expect(inCell('gem', '/h/.bundle/config', config).files).toEqual({
      '/etc/paddock/bundle-config': '---\nBUNDLE_MIRROR__HTTPS://B__TEST/: "https://b.corp.test/"\n',
    })
  })

  test('for RubyGems and bundler are files that variables name, without passwords', () => {
    const gems = inCell('gem', '/h/.gemrc', '---\n:sources:\n- https://me:hunter2@gems.corp.test/\n- https://b.test/\n:verbose: true\n')
    expect(gems.files).toEqual({ '/etc/paddock/gemrc': ':sources:\n- https://gems.corp.test/\n- https://b.test/\n' })
    expect(gems.env).toEqual({ GEMRC: '/etc/paddock/gemrc' })
    expect(gems.notes).toEqual([expect.stringContaining('--secret GEM_PASSWORD=vault:NAME@gems.corp.test')])
    const config =
      '---\nBUNDLE_MIRROR__HTTPS://A__TEST/: "https://gems.corp.test/m"\nBUNDLE_GEMS__CORP__TEST: "me:hunter2"\nBUNDLE_PATH: "x"\n'
    const bundler = inCell('gem', '/h/.bundle/config', config)
    expect(bundler.files).toEqual({ '/etc/paddock/bundle-config': '---\nBUNDLE_MIRROR__HTTPS://A__TEST/: "https://gems.corp.test/m"\n' })
    expect(bundler.env).toEqual({ BUNDLE_USER_CONFIG: '/etc/paddock/bundle-config' })
    expect(bundler.notes).toEqual([expect.stringContaining('--secret BUNDLE_GEMS__CORP__TEST=vault:NAME@gems.corp.test')])
  })

  test('for Maven are global settings with mirrors and repositories, without servers, and with its block of plain HTTP', () => {
    const settings = (mirrorId: string): string =>
      `<settings><servers><server><id>own</id><username>me</username><password>hunter2</password></server></servers>
      <mirrors><mirror><id>${mirrorId}</id><mirrorOf>central</mirrorOf><url>https://me:hunter2@mvn.corp.test/r</url></mirror></mirrors>
      <profiles><profile><id>p</id><activation><activeByDefault>true</activeByDefault></activation><pluginRepositories><pluginRepository><id>own</id>
      <url>https://plugins.corp.test/p?a=1&amp;b</url><releases><enabled>false</enabled></releases></pluginRepository></pluginRepositories></profile></profiles></settings>`
    const { files, env, notes } = inCell('maven', '/h/.m2/settings.xml', settings('m'))
    const content = files['/etc/paddock/maven-settings.xml']
    expect(files['/etc/maven/settings.xml']).toBe(content)
    expect(env).toEqual({ MAVEN_ARGS: '--global-settings /etc/paddock/maven-settings.xml' })
    expect(content).toBe(`<settings>
<mirrors>
<mirror><id>m</id><mirrorOf>central</mirrorOf><url>https://mvn.corp.test/r</url></mirror>
<mirror><id>maven-default-http-blocker</id><mirrorOf>external:http:*</mirrorOf><url>http://0.0.0.0/</url><blocked>true</blocked></mirror>
</mirrors>
<profiles><profile><id>of-this-machine</id><repositories></repositories><pluginRepositories><pluginRepository><id>own</id><url>https://plugins.corp.test/p</url><releases><enabled>false</enabled></releases><snapshots><enabled>true</enabled></snapshots></pluginRepository></pluginRepositories></profile></profiles>
<activeProfiles><activeProfile>of-this-machine</activeProfile></activeProfiles>
</settings>
`)
    expect(notes).toEqual([
      'the password for mvn.corp.test in /h/.m2/settings.xml is not in the cell; to give it a placeholder: --secret MAVEN_PASSWORD=vault:NAME@mvn.corp.test',
      'the token for plugins.corp.test in /h/.m2/settings.xml is not in the cell; to give it a placeholder: --secret MAVEN_PASSWORD=vault:NAME@plugins.corp.test',
    ])
    const own = inCell('maven', '/h/s.xml', settings('maven-default-http-blocker')).files['/etc/maven/settings.xml']
    expect(own).not.toContain('0.0.0.0')
  })

  test('for Maven have the servers whose variables have placeholders', () => {
    const text = `<settings><servers>
      <server><id>corp</id><username>me&amp;you</username><password>hunter2</password><privateKey>/k</privateKey></server>
      <server><id>named</id><password>${ref('env.CORP_TOKEN')}</password></server>
      <server><id>lab</id><configuration><httpHeaders><property><name>Private-Token</name><value>hunter2</value></property></httpHeaders></configuration></server>
      <server><id>missing</id><password>${ref('env.NOT_GIVEN')}</password></server>
      </servers><mirrors><mirror><id>corp</id><mirrorOf>*</mirrorOf><url>https://mvn.corp.test/r</url></mirror></mirrors></settings>`
    const { files, notes } = inCell('maven', '/h/.m2/settings.xml', text, 'MAVEN_PASSWORD', 'CORP_TOKEN')
    const [password, token] = [ref('env.MAVEN_PASSWORD'), ref('env.CORP_TOKEN')]
    expect(files['/etc/maven/settings.xml']).toContain(
      `<servers><server><id>corp</id><username>me&amp;you</username><password>${password}</password></server>` +
        `<server><id>named</id><password>${token}</password></server>` +
        `<server><id>lab</id><configuration><httpHeaders><property><name>Private-Token</name><value>${password}</value></property></httpHeaders></configuration></server></servers>\n`,
    )
    expect(notes).toEqual([expect.stringContaining('the secret for NOT_GIVEN in /h/.m2/settings.xml is not in the cell; ')])
    const onlyServer = `<settings><servers><server><id>corp</id><password>hunter2</password></server></servers></settings>`
    expect(inCell('maven', 's.xml', onlyServer).files).toEqual({})
    expect(inCell('maven', 's.xml', onlyServer, 'MAVEN_PASSWORD').files['/etc/maven/settings.xml']).toContain('<server><id>corp</id>')
  })

  const nuget = `<?xml version="1.0" encoding="utf-8"?>
    <configuration><packageSources><add key="old" value="https://old.test/" /><clear />
      <add key="Corp &quot;A&quot;" value="https://nuget.corp.test/v3/index.json" protocolVersion="3" />
      <add key='plain' value='http://plain.corp.test/nuget' allowInsecureConnections="True" />
      <add key="off" value="https://off.test/" /><add key="local" value="/packages" /></packageSources>
    <packageSourceCredentials>
      <Corp_x0020__x0022_A_x0022_><add key="Username" value="me" /><add key="ClearTextPassword" value="hunter2" /></Corp_x0020__x0022_A_x0022_>
      <plain><add key="Username" value="you" /><add key="Password" value="AQAAANCMnd8" /></plain>
      <Mine><add key="Username" value="me" /><add key="ClearTextPassword" value="%MINE_TOKEN%" /></Mine></packageSourceCredentials>
    <apikeys><add key="https://nuget.corp.test/" value="hunter2" /></apikeys>
    <disabledPackageSources><add key="off" value="true" /></disabledPackageSources>
    <packageSourceMapping><packageSource key="plain"><package pattern="Corp.*" /><package pattern="B" /></packageSource></packageSourceMapping>
    </configuration>`

  test('for NuGet are a file of the machine with its sources, without passwords', () => {
    const { files, env, notes, facts } = inCell('nuget', '/h/NuGet.Config', nuget)
    expect(files).toEqual({
      '/etc/opt/NuGet/Config/paddock.config': `<configuration>
<packageSources><add key="Corp &quot;A&quot;" value="https://nuget.corp.test/v3/index.json" protocolVersion="3" /><add key="plain" value="http://plain.corp.test/nuget" allowInsecureConnections="true" /></packageSources>
<disabledPackageSources><add key="nuget.org" value="true" /></disabledPackageSources>
<packageSourceMapping><packageSource key="plain"><package pattern="Corp.*" /><package pattern="B" /></packageSource></packageSourceMapping>
</configuration>
`,
    })
    expect(env).toEqual({})
    const [from, how] = ['in /h/NuGet.Config is not in the cell', 'to give it a placeholder: --secret']
    expect(notes).toEqual([
      `the token for nuget.corp.test ${from}; ${how} NUGET_PASSWORD=vault:NAME@nuget.corp.test`,
      `the token for plain.corp.test ${from}; ${how} NUGET_PASSWORD=vault:NAME@plain.corp.test`,
      `the secret for MINE_TOKEN ${from}; ${how} MINE_TOKEN=vault:NAME@HOST`,
    ])
    expect(presetEntries('nuget', facts).map(({ host, ports }) => [host, ports])).toEqual([
      ['nuget.corp.test', [443]],
      ['plain.corp.test', [80]],
    ])
    const usual = '<configuration><packageSources><add key="nuget.org" value="https://a.test/" /></packageSources></configuration>'
    expect(JSON.stringify(inCell('nuget', 'n', usual).files)).not.toContain('disabledPackageSources')
  })

  test('for NuGet name the variables of placeholders', () => {
    const { files, notes } = inCell('nuget', '/h/NuGet.Config', nuget, 'NUGET_PASSWORD', 'MINE_TOKEN')
    const login = (name: string, user: string, variable: string): string =>
      `<${name}><add key="Username" value="${user}" /><add key="ClearTextPassword" value="%${variable}%" /></${name}>`
    expect(files['/etc/opt/NuGet/Config/paddock.config']).toContain(
      `<packageSourceCredentials>${login('Corp_x0020__x0022_A_x0022_', 'me', 'NUGET_PASSWORD')}${login('plain', 'you', 'NUGET_PASSWORD')}${login('Mine', 'me', 'MINE_TOKEN')}</packageSourceCredentials>`,
    )
    expect(JSON.stringify(files)).not.toMatch(/hunter2|AQAAANC/)
    expect(notes).toEqual([])
  })

  const gradle = [
    '# corpUrl=https://no.test/',
    'corpUrl = https\\://me:hunter2@gradle.corp.test/\\',
    '    maven',
    'corpUsername=me',
    'corpPassword: hunter2',
    'labAuthHeaderName=Private-Token',
    'labAuthHeaderValue=hunter2',
    'nexus_token hunter2',
    'gpr.key=hunter2',
    'org.gradle.jvmargs=-Xmx2g -Dx=hunter2',
    'systemProp.https.proxyPassword=hunter2',
    'description=see https://docs.test/',
  ].join('\n')

  test('for Gradle are properties with URLs, without passwords', () => {
    const { files, env, notes, facts } = inCell('gradle', '/h/gradle.properties', gradle)
    expect(files).toEqual({})
    expect(env).toEqual({ ORG_GRADLE_PROJECT_corpUrl: 'https://gradle.corp.test/maven' })
    const from = 'in /h/gradle.properties is not in the cell'
    expect(notes).toEqual([
      `the password for gradle.corp.test ${from}`,
      ...['corpPassword', 'labAuthHeaderValue', 'nexus_token'].map((each) => {
        const variable = `ORG_GRADLE_PROJECT_${each}`
        return `the secret for ${variable} ${from}; to give it a placeholder: --secret ${variable}=vault:NAME@HOST`
      }),
    ])
    expect(presetEntries('gradle', facts).map(({ host }) => host)).toEqual(['gradle.corp.test'])
  })

  test('for Gradle have the user names beside placeholders', () => {
    const names = ['corpPassword', 'labAuthHeaderValue'].map((each) => `ORG_GRADLE_PROJECT_${each}`)
    expect(inCell('gradle', '/h/gradle.properties', gradle, ...names).env).toEqual({
      ORG_GRADLE_PROJECT_corpUrl: 'https://gradle.corp.test/maven',
      ORG_GRADLE_PROJECT_corpUsername: 'me',
      ORG_GRADLE_PROJECT_labAuthHeaderName: 'Private-Token',
    })
  })

  test('name no host that the preset does not allow', () => {
    const { facts, files } = inCell('npm', '/h/.npmrc', npmrc)
    const allowed = presetEntries('npm', facts).map(({ host }) => host)
    const named = [
      ...Object.values(files)
        .join('')
        .matchAll(/https:\/\/([^/]+)/g),
    ].map(([, host]) => host)
    expect(allowed).toEqual([...new Set(named)])
  })
})

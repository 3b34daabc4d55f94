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

  test('are absent for the defaults of a tool, and for what is not a URL', () => {
    const defaults = [{ url: 'https://default.test/', from: 'x', use: 'default' as const }]
    expect(registriesInCell({ npm: defaults, pypi: defaults, apt: [] }, secrets())).toEqual({ files: [], env: {}, notes: [] })
    expect(inCell('npm', '.npmrc', `registry=${ref('REGISTRY')}\n`).files).toEqual({})
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

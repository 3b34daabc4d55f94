import path from 'node:path'
import { gradleUrls } from './gradle-settings.ts'
import { mavenUrls } from './maven-settings.ts'
import { nugetUrls } from './nuget-settings.ts'
import { bundlerUrls, cargoUrls, gemUrls, goUrls } from './registry-readers.ts'
import type { RegistrySetting } from './registry-setting.ts'

/** The text of one configuration file. */
export interface SettingsFile {
  readonly path: string
  readonly text: string
}

export type RegistryTool = 'pypi' | 'npm' | 'apt' | 'cargo' | 'go' | 'gem' | 'maven' | 'gradle' | 'nuget'

/** Returns the registries in a tool's configuration file. Never throws; unknown syntax is ignored. */
export function registriesIn(tool: RegistryTool, file: SettingsFile): RegistrySetting[] {
  return found(tool, file).map((each) => ({ ...each, from: file.path }))
}

type Found = Omit<RegistrySetting, 'from'>

function found(tool: RegistryTool, file: SettingsFile): Found[] {
  if (tool === 'pypi') return file.path.endsWith('.toml') ? uvUrls(file.text) : pipUrls(file.text)
  if (tool === 'npm') return file.path.endsWith('.yml') ? yarnUrls(file.text) : npmUrls(file.text)
  if (tool === 'cargo') return cargoUrls(file.text)
  if (tool === 'go') return goUrls(file.text)
  if (tool === 'gem') return path.basename(file.path) === 'config' ? bundlerUrls(file.text) : gemUrls(file.text)
  if (tool === 'maven') return mavenUrls(file.text)
  if (tool === 'gradle') return gradleUrls(file.text)
  if (tool === 'nuget') return nugetUrls(file.text)
  return aptUrls(file).map((url) => ({ url, use: 'main' }))
}

/** Reads pip.conf: `index-url`, and `extra-index-url`, which may continue over indented lines, in any section. */
function pipUrls(text: string): Found[] {
  const urls: Found[] = []
  let use: 'main' | 'more' | null = null
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*[#;]/.test(line)) continue
    const setting = /^([A-Za-z_-]+)\s*[=:](.*)$/.exec(line)
    const key = (setting?.[1] ?? '').replaceAll('_', '-')
    if (setting !== null) use = key === 'index-url' ? 'main' : key === 'extra-index-url' ? 'more' : null
    else if (!/^\s+\S/.test(line)) use = null
    const of = use
    if (of !== null) urls.push(...words(setting?.[2] ?? line).map((url) => ({ url, use: of })))
  }
  return urls
}

/** Reads uv.toml: `index-url`, `extra-index-url` on one line, and the tables `[[index]]`, of which one may be the default. */
function uvUrls(text: string): Found[] {
  const quoted = (line: string): string[] => [...line.matchAll(/"(https?:[^"]+)"/g)].map(([, url = '']) => url)
  return text.split(/^\s*\[/m).flatMap((part): Found[] => {
    if (/^\[\s*index\s*\]\]/.test(part)) {
      const use = /^\s*default\s*=\s*true/m.test(part) ? 'main' : 'more'
      return quoted(/^\s*url\s*=.*$/m.exec(part)?.[0] ?? '').map((url) => ({ url, use }))
    }
    return [...part.matchAll(/^\s*(extra-)?index-url\s*=(.*)$/gm)].flatMap(([, extra, value = '']) =>
      quoted(value).map((url): Found => ({ url, use: extra === undefined ? 'main' : 'more' })),
    )
  })
}

/** Reads .npmrc: `registry=` and `@scope:registry=`, and for which registries it has a token. */
function npmUrls(text: string): Found[] {
  return text.split(/\r?\n/).flatMap((line): Found[] => {
    const setting = /^\s*(?:(@[^:=\s]+):)?registry\s*=\s*(.+?)\s*$/.exec(line)
    if (setting !== null) return [{ url: (setting[2] ?? '').replace(/^(["'])(.*)\1$/, '$2'), use: (setting[1] as `@${string}`) ?? 'main' }]
    const token = /^\s*\/\/([^\s=]+?\/?):_(?:authToken|auth|password)\s*=\s*(?:"?\$\{([A-Za-z_][A-Za-z0-9_]*)\})?/.exec(line)
    if (token === null) return []
    const [, place = '', variable] = token
    return [{ url: `https://${place}`, use: 'token', ...(variable === undefined ? {} : { variable }) }]
  })
}

/** Reads .yarnrc.yml: `npmRegistryServer`. */
function yarnUrls(text: string): Found[] {
  return [...text.matchAll(/^npmRegistryServer:\s*["']?(https?:[^"'\s]+)/gm)].map(([, url = '']) => ({ url, use: 'main' }))
}

/** Reads sources.list(5): one-line style in `.list`, deb822 style in `.sources`. Disabled sources are skipped. */
function aptUrls(file: SettingsFile): string[] {
  if (!file.path.endsWith('.sources')) {
    return file.text.split(/\r?\n/).flatMap((line) => {
      const source = /^\s*deb(?:-src)?\s+(?:\[[^\]]*\]\s*)?(\S+)/.exec(line)
      return source === null ? [] : [source[1] ?? '']
    })
  }
  return file.text.split(/\r?\n[ \t]*(?:\r?\n)+/).flatMap((stanza) => {
    const fields = deb822(stanza)
    return /^(?:no|false|0|off|without|disable)$/i.test(fields.get('enabled') ?? '') ? [] : words(fields.get('uris') ?? '')
  })
}

function deb822(stanza: string): Map<string, string> {
  const fields = new Map<string, string>()
  let last = ''
  for (const line of stanza.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    const field = /^([A-Za-z-]+):(.*)$/.exec(line)
    if (field !== null) last = (field[1] ?? '').toLowerCase()
    fields.set(last, `${fields.get(last) ?? ''} ${field === null ? line : (field[2] ?? '')}`.trim())
  }
  return fields
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** A package registry from a tool's own configuration. */
export interface RegistrySetting {
  readonly url: string
  /** The file, variable or command that the setting comes from. */
  readonly from: string
}

/** The text of one configuration file. */
export interface SettingsFile {
  readonly path: string
  readonly text: string
}

export type RegistryTool = 'pypi' | 'npm' | 'apt'

/** Returns the registries in a tool's configuration file. Never throws; unknown syntax is ignored. */
export function registriesIn(tool: RegistryTool, file: SettingsFile): RegistrySetting[] {
  const urls = tool === 'pypi' ? pipUrls(file.text) : tool === 'npm' ? npmUrls(file.text) : aptUrls(file)
  return urls.map((url) => ({ url, from: file.path }))
}

/** Reads pip.conf: `index-url`, and `extra-index-url`, which may continue over indented lines, in any section. */
function pipUrls(text: string): string[] {
  const urls: string[] = []
  let inIndex = false
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*[#;]/.test(line)) continue
    const setting = /^([A-Za-z_-]+)\s*[=:](.*)$/.exec(line)
    if (setting !== null) inIndex = /^(?:extra[-_])?index[-_]url$/.test(setting[1] ?? '')
    else if (!/^\s+\S/.test(line)) inIndex = false
    if (inIndex) urls.push(...words(setting?.[2] ?? line))
  }
  return urls
}

/** Reads .npmrc: `registry=` and `@scope:registry=`. */
function npmUrls(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const setting = /^\s*(?:@[^:=\s]+:)?registry\s*=\s*(.+?)\s*$/.exec(line)
    return setting === null ? [] : [(setting[1] ?? '').replace(/^(["'])(.*)\1$/, '$2')]
  })
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

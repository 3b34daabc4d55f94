import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const built = import.meta.url.endsWith('.ts') ? '../../../../dist/report/' : './report/'

export interface ReportAssets {
  readonly script: string
  readonly style: string
  /** Sources for a content security policy that allows only this script and this style sheet. */
  readonly scriptSource: string
  readonly styleSource: string
}

const read = new Map<string, ReportAssets>()

/** Returns the script and the style sheet that are embedded in a report, from the build. Throws the system's error if nothing was built. */
export function reportAssets(): ReportAssets {
  return assetsOf('page')
}

/** Returns the script and the style sheet of the page on which you judge. */
export function judgingAssets(): ReportAssets {
  return assetsOf('judge')
}

function assetsOf(page: string): ReportAssets {
  const known = read.get(page)
  if (known !== undefined) return known
  const [script, style] = [`${page}.js`, `${page}.css`].map((name) =>
    readFileSync(fileURLToPath(new URL(built + name, import.meta.url)), 'utf8'),
  ) as [string, string]
  const source = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`
  const assets = { script, style, scriptSource: source(script), styleSource: source(style) }
  read.set(page, assets)
  return assets
}

import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const notOurs = new Set(['node_modules', 'dist', 'demo', '.git'])
const documents = globSync('**/*.md', { cwd: root, exclude: (name) => notOurs.has(path.basename(name)) })

/** Returns the text without code, where brackets have no meaning. */
const prose = (text: string): string => text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '``')

/** Returns the anchors of a document's headings: lower case, without punctuation, numbered if they repeat. */
function anchors(file: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [, title = ''] of readFileSync(file, 'utf8')
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    let numbered = anchor
    for (let n = 1; found.has(numbered); n++) numbered = `${anchor}-${n}`
    found.add(numbered)
  }
  return found
}

it('finds the documents', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/README.md', 'docs/reference/cli.md']))
})

it.each(documents)('the links of %s lead somewhere', (document) => {
  const links = [...prose(readFileSync(path.join(root, document), 'utf8')).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(
    (each) => each[1] ?? '',
  )
  const broken = links.filter((link) => {
    if (/^[a-z][a-z0-9+.-]*:/.test(link)) return false
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path.join(root, document) : path.resolve(root, path.dirname(document), decodeURIComponent(file))
    if (!existsSync(target)) return true
    return anchor !== undefined && (statSync(target).isDirectory() || !anchors(target).has(anchor))
  })
  expect(broken).toEqual([])
})

/** An element of an XML document. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** The text directly in the element. */
  readonly text: string
}

const mostDepth = 100

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Returns the root element of a document without a DTD (XML 1.0). Null if it is not one, or is nested too deeply. Never throws. */
export function xmlTree(document: string): XmlElement | null {
  const root = { name: '', attributes: {}, children: [] as Building[], text: '' }
  const open: Building[] = [root]
  const tokens =
    /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([^\s<>/!?]+)((?:"[^"]*"|'[^']*'|[^"'<>])*?)(\/?)>|([^<]+)|</g
  for (const [token, data, isEnd, name = '', attributes = '', isEmpty, text] of document.replace(/^\uFEFF/, '').matchAll(tokens)) {
    const at = open.at(-1) ?? root
    if (token === '<') return null
    if (data !== undefined) at.text += data
    else if (text !== undefined) at.text += unescaped(text)
    else if (isEnd === '/') {
      if (open.length === 1 || at.name !== name) return null
      open.pop()
    } else if (isEnd === '') {
      const child = { name, attributes: attributesIn(attributes), children: [], text: '' }
      at.children.push(child)
      if (isEmpty !== '/' && open.push(child) > mostDepth) return null
    }
  }
  const [first, ...more] = root.children
  return open.length === 1 && first !== undefined && more.length === 0 ? first : null
}

interface Building extends XmlElement {
  readonly children: Building[]
  text: string
}

function attributesIn(text: string): Readonly<Record<string, string>> {
  const found = [...text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
  return Object.fromEntries(found.map(([, name = '', value, other = '']) => [name, unescaped(value ?? other)]))
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name = '') => {
    if (decimal === undefined && hex === undefined) return entities[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** Returns text as the content of an element, or as the value of an attribute in double quotes. */
export function escapedXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

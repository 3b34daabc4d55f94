import { common, createLowlight } from 'lowlight'

const lowlight = createLowlight(common)
const mostCharacters = 200_000
/** The longest line that is coloured, in characters, because grammars scan a line repeatedly. */
const mostInLine = 2_000

type Found = ReturnType<typeof lowlight.highlight>['children'][number]

/** Returns the lines of a text in the colours of its language. No element continues from one line into the next. */
export function lines(path: string, text: string): readonly DocumentFragment[] {
  const language = languageOf(path, text)
  const all = [document.createDocumentFragment()]
  const put = (content: string, classes: readonly string[]): void => {
    for (const [index, part] of content.split('\n').entries()) {
      if (index > 0) all.push(document.createDocumentFragment())
      if (part !== '') all.at(-1)?.append(styled(part, classes))
    }
  }
  const walk = (nodes: readonly Found[], classes: readonly string[]): void => {
    for (const node of nodes) {
      if (node.type === 'text') put(node.value, classes)
      else if (node.type === 'element') walk(node.children as readonly Found[], [...classes, ...classesOf(node.properties['className'])])
    }
  }
  const found = language === null || text.length > mostCharacters || isLong(text) ? null : highlighted(language, text)
  if (found === null) put(text, [])
  else walk(found, [])
  return text.endsWith('\n') ? all.slice(0, -1) : all
}

function isLong(text: string): boolean {
  return text.split('\n').some((line) => line.length > mostInLine)
}

/** Returns the coloured parts of a text; null if the grammar fails on the text, which is then shown without colours. */
function highlighted(language: string, text: string): readonly Found[] | null {
  try {
    return lowlight.highlight(language, text).children
  } catch {
    return null
  }
}

function styled(text: string, classes: readonly string[]): Node {
  if (classes.length === 0) return document.createTextNode(text)
  const span = document.createElement('span')
  span.className = classes.join(' ')
  span.textContent = text
  return span
}

function classesOf(found: unknown): readonly string[] {
  return Array.isArray(found) ? found.map(String) : []
}

const byProgram: readonly (readonly [RegExp, string])[] = [
  [/^#!.*\b(?:node|deno|bun)\b/, 'javascript'],
  [/^#!.*\bpython/, 'python'],
  [/^#!.*\b(?:ba|da|z)?sh\b/, 'bash'],
  [/^#!.*\bperl\b/, 'perl'],
  [/^#!.*\bruby\b/, 'ruby'],
]
const byEnding = new Map([
  ['cjs', 'javascript'],
  ['mjs', 'javascript'],
  ['cts', 'typescript'],
  ['mts', 'typescript'],
  ['htm', 'xml'],
])

function languageOf(path: string, text: string): string | null {
  const name = (path.split('/').at(-1) ?? '').toLowerCase()
  const ending = name.includes('.') ? (name.split('.').at(-1) ?? '') : name
  const known = byEnding.get(ending) ?? ending
  if (lowlight.registered(known)) return known
  return byProgram.find(([line]) => line.test(text))?.[1] ?? null
}

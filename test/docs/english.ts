import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** A way of writing that reads like a translation, and what people write in its place. */
export interface Habit {
  readonly name: string
  readonly pattern: RegExp
  readonly better: string
}

export const habits: readonly Habit[] = [
  {
    name: 'told',
    pattern: /\bunless told\b|\bwhoever tells\b|\b(?:is|are|was|were) told\b/i,
    better: 'by default, the caller, is reported',
  },
  {
    name: 'alone behind its noun',
    pattern: /(?<!\b(?:leave|leaves|left|leaving|leave \S+|leaves \S+|left \S+|leaving \S+) )(?<!-)\balone\b/i,
    better: 'only at its hosts',
  },
  { name: 'said', pattern: /\b(?:is|are|was|were) said\b|\bin words\b/i, better: 'reported, as text, Paddock prints …' },
  {
    name: 'is no X',
    pattern:
      /(?<!\bthere )\b(?:is|are|was|were) no (?!(?:longer|more|less|fewer|larger|later|earlier|other|one|different|room|need)\b)[a-z]|\bhas none\b/i,
    better: 'is not an X',
  },
  {
    name: 'where for a condition',
    pattern: /\bwhere (?:there (?:is|are|was|were)|nothing|none)\b|\b(?:null|absent|false|true|empty|none) where\b/i,
    better: 'if, when',
  },
  {
    name: 'a relative clause as subject',
    pattern:
      /\b[Ww]hoever\b|(?:^|[.!?] )Who (?!is|are)[^.?]*\b(?:is|are|has|gets|may|can|must|does|do|loses?|counts?)\b[^?]*\.|(?:^|\. )What (?:an? \w+|is|was|the \w+) [^.?,;:]* (?:is|are|counts|stays) [^.?]*\./,
    better: 'name the noun first',
  },
  { name: 'means nothing', pattern: /\bmeans? nothing with(?:out)?\b/i, better: 'requires …, has no effect with …' },
  { name: 'mend', pattern: /(?<!-)\b(?:a)?mend(?:s|ed|ing)?\b/i, better: 'fix' },
  {
    name: 'stands, lies, let be',
    pattern:
      /\bstands?\b(?! (?:for|alone)\b)(?!-)|\b(?:lies|lay) (?:in|on|at|beside|below|behind|there|over|outside|inside|elsewhere)\b|\b(?:comes?|came) to be\b|\b(?:goes|go|went) before\b|\blet be\b|\bby the way\b|\bg[eo]ts? round\b|\bcan be had\b/i,
    better: 'is, is created, takes precedence over, leave alone, bypass, is available',
  },
  {
    name: 'take over', // Who types in a terminal hands it over, and takes it over.
    pattern: /(?<!^)(?<!\*\*)\b(?:takes?|taken|took|taking) (?:over|it over|them over)\b(?! and types)/i,
    better: 'apply, accept',
  },
  { name: 'inverted', pattern: /\bthat is, and not\b|\bOf (?:yours|these), only\b/, better: 'subject, verb, object' },
  { name: 'three half sentences', pattern: /;[^.;|]{3,80};[^.;|]{3,80};/, better: 'sentences' },
  {
    name: 'words for names',
    pattern: /\bspelt\b|\b(?:written|wrote|writes) anew\b|\bthe words (?:of|that|after|behind)\b|\bas a word\b/i,
    better: 'a name, the options, the syntax, rewritten',
  },
  {
    name: 'metaphors',
    pattern: /\b(?:doors?|houses?)\b|(?<!fire)\bwalls?\b(?![ -](?:time|times|clock|limit|hours)|: \d)/i,
    better: 'network namespace, listener, packet filter',
  },
  { name: 'one word for one thing', pattern: /\bstand-ins?\b|\bcontenders?\b/i, better: 'placeholder, participant' },
]

/** A piece of prose: a comment, a message, a paragraph. */
export interface Prose {
  readonly file: string
  readonly line: number
  readonly text: string
}

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the prose of documents: everything but code, links and quoted output. */
export function proseOfDocuments(): Prose[] {
  const pages = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...globSync('docs/*.md', { cwd: root }),
    ...globSync('docs/guide/*.md', { cwd: root }),
  ]
  return pages.flatMap((file) => paragraphs(file, readFileSync(path.join(root, file), 'utf8')))
}

function paragraphs(file: string, text: string): Prose[] {
  let isCode = false
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode
    const prose = line
      .replace(/`[^`]*`/g, 'X')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/<!--.*?-->/g, '')
    return isCode || prose.trim() === '' ? [] : [{ file, line: index + 1, text: prose }]
  })
}

/** Returns the prose of sources: comments, and texts with a blank in them. Generated files are left out. */
export function proseOfSources(globs: readonly string[]): Prose[] {
  return globs
    .flatMap((each) => globSync(each, { cwd: root }))
    .filter((file) => file !== 'src/client/api.ts')
    .flatMap((file) => proseOfSource(file, readFileSync(path.join(root, file), 'utf8')))
}

/** Texts that are shell, SQL or nftables. */
const code =
  /; (?:do|done|then|fi)\b|\besac\b|\bPRAGMA |\bUPDATE \w+ SET\b|\belements = \{|\b(?:CREATE|ALTER) (?:UNIQUE )?(?:TABLE|INDEX)\b/

function proseOfSource(file: string, text: string): Prose[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)
  const found: Prose[] = []
  const add = (at: number, prose: string): void => {
    const clean = prose.replace(/`[^`]*`/g, 'X').replace(/\{@\w+[^}]*\}/g, 'X')
    found.push({ file, line: source.getLineAndCharacterOfPosition(at).line + 1, text: clean })
  }
  const seen = new Set<number>()
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      if (seen.has(range.pos)) continue
      seen.add(range.pos)
      const comment = text.slice(range.pos, range.end)
      add(range.pos, comment.replace(/^\/\*\*?|\*\/$|^\/\/ ?/g, '').replace(/\n\s*\* ?/g, ' '))
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node))
      addText(node, ts.isJsxText(node) ? node.text.trim() : node.text)
    else if (ts.isTemplateExpression(node))
      addText(node, [node.head.text, ...node.templateSpans.map((each) => each.literal.text)].join('X'))
    ts.forEachChild(node, visit)
  }
  const addText = (node: ts.Node, value: string): void => {
    if (/\w \w/.test(value) && !code.test(value)) add(node.getStart(), value)
  }
  visit(source)
  return found
}

/** Returns the names of tests, including the rows of their tables and the mechanisms that name sabotages. */
export function namesOfTests(): Prose[] {
  return globSync(['test/**/*.test.ts', 'test/guarantees/sabotages/*.ts'], {
    cwd: root,
    exclude: (each) => each.includes('node_modules'),
  }).flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
    const found: Prose[] = []
    const visit = (node: ts.Node): void => {
      for (const name of namesIn(node, source).filter(ts.isStringLiteralLike))
        found.push({ file, line: source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1, text: name.text })
      ts.forEachChild(node, visit)
    }
    visit(source)
    return found
  })
}

function namesIn(node: ts.Node, source: ts.SourceFile): ts.Expression[] {
  if (ts.isPropertyAssignment(node) && node.name.getText(source) === 'without') return [node.initializer]
  if (!ts.isCallExpression(node) || !/^(?:test|it|describe)\b/.test(node.expression.getText(source))) return []
  const [name] = node.arguments
  if (name === undefined) return []
  const rows = ts.isAsExpression(name) ? name.expression : name
  return ts.isArrayLiteralExpression(rows) ? rows.elements.flatMap((row) => firstOf(row)) : [name]
}

/** Returns what names a row of a table: its first element, or the row itself. */
const firstOf = (row: ts.Expression): readonly ts.Expression[] => (ts.isArrayLiteralExpression(row) ? row.elements.slice(0, 1) : [row])

/** Returns one line for each habit that a piece of prose has. */
export function faults(prose: readonly Prose[], which: readonly Habit[] = habits): string[] {
  return prose.flatMap(({ file, line, text }) =>
    which.flatMap(({ name, pattern, better }) => {
      const match = pattern.exec(text)
      return match === null
        ? []
        : [
            `${file}:${line}: ${name}: "${text.slice(Math.max(0, match.index - 40), match.index + match[0].length + 40).trim()}" (${better})`,
          ]
    }),
  )
}

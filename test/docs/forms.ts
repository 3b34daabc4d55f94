import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { type Prose, root } from './english.ts'

/** A text that a user gets when something is refused, as written in the source; `…` is a value. */
export interface Form extends Prose {
  readonly kind: 'message' | 'end' | 'hint'
}

/** Returns the messages of errors and the hints that are written out in sources. */
export function formsOfSources(glob: string): Form[] {
  return globSync(glob, { cwd: root }).flatMap((file) => formsOf(file, readFileSync(path.join(root, file), 'utf8')))
}

/** As `formsOfSources`, of one text. */
export function formsOf(file: string, text: string): Form[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Form[] = []
  const add = (kind: Form['kind'], node: ts.Node): void => {
    for (const written of textsOf(node))
      found.push({ kind, file, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: written })
  }
  const takers = takersOf(source)
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'PaddockError' && node.arguments?.[1] !== undefined)
      add('message', node.arguments[1])
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'hint') add('hint', node.initializer)
    if (ts.isVariableDeclaration(node) && node.name.getText() === 'hint' && node.initializer !== undefined) add('hint', node.initializer)
    if (ts.isCallExpression(node))
      for (const { kind, at } of takers.get(node.expression.getText()) ?? [])
        if (node.arguments[at] !== undefined) add(kind, node.arguments[at])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

interface Taker {
  readonly kind: Form['kind']
  /** The position of the parameter. */
  readonly at: number
}

/** Returns the functions of a source that take a hint, or the end of a message, with the positions of these parameters. */
function takersOf(source: ts.SourceFile): ReadonlyMap<string, readonly Taker[]> {
  const found = new Map<string, Taker[]>()
  const visit = (node: ts.Node): void => {
    const [name, taker] = ts.isVariableDeclaration(node)
      ? [node.name, node.initializer]
      : ts.isFunctionDeclaration(node)
        ? [node.name, node]
        : []
    if (name !== undefined && taker !== undefined && (ts.isFunctionDeclaration(taker) || ts.isArrowFunction(taker))) {
      const ends = endsOfMessages(taker)
      const kinds = taker.parameters
        .map((each) => each.name.getText())
        .map((each) => (each === 'hint' ? 'hint' : ends.has(each) ? 'end' : null))
      const takers = kinds.flatMap((kind, at) => (kind === null ? [] : [{ kind, at } as const]))
      if (takers.length > 0) found.set(name.getText(), takers)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Returns the names of the values with which messages in a function end. */
function endsOfMessages(taker: ts.Node): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    const message = ts.isNewExpression(node) && node.expression.getText() === 'PaddockError' ? node.arguments?.[1] : undefined
    const last = message !== undefined && ts.isTemplateExpression(message) ? message.templateSpans.at(-1) : undefined
    if (last !== undefined && last.literal.text === '') found.add(last.expression.getText())
    ts.forEachChild(node, visit)
  }
  visit(taker)
  return found
}

/** The texts that an expression may be: a literal, or the branches of a choice. */
function textsOf(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isTemplateExpression(node)) return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')]
  return ts.isConditionalExpression(node) ? [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)] : []
}

/** Hints that are a command begin with one of these. */
const commands = /^(?:paddock|…) /

/** Returns one line for each text that does not have its form. */
export function faultsOfForms(forms: readonly Form[]): string[] {
  return forms.flatMap(({ kind, file, line, text }) => {
    const wrong = kind === 'message' ? faultOfMessage(text) : kind === 'end' ? faultOfEnd(text) : faultOfHint(text)
    return wrong === null ? [] : [`${file}:${line}: ${kind} ${wrong}: "${text}"`]
  })
}

/** Programs that are the subject of a message. */
const programs = /^(?:gh|git|opencode|paddock|tar) /

/** One sentence that begins with a capital, with a program, or with the place that it names. */
function faultOfMessage(text: string): string | null {
  const end = faultOfEnd(text)
  if (end !== null) return end
  const isSubject = /^[^a-z]/.test(text) || programs.test(text) || /^[\w.-]+(?:[.:[/(…]|, )/.test(text)
  return isSubject ? null : 'begins neither with a capital nor with a place'
}

/** The end of a sentence. */
function faultOfEnd(text: string): string | null {
  return /[.!?…]$/.test(text) ? null : 'ends without a period'
}

/** What to do: it begins with a verb, or is a command. */
function faultOfHint(text: string): string | null {
  if (text.endsWith('.') && !text.endsWith('…')) return 'ends with a period'
  return /^[a-z]/.test(text) && !commands.test(text) ? 'begins with a small letter' : null
}

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { type Prose, root } from './english.ts'

/** A text that a user gets when something is refused, as written in the source; `…` is a value. */
export interface Form extends Prose {
  readonly kind: 'message' | 'hint'
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
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'PaddockError' && node.arguments?.[1] !== undefined)
      add('message', node.arguments[1])
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'hint') add('hint', node.initializer)
    ts.forEachChild(node, visit)
  }
  visit(source)
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
    const wrong = kind === 'message' ? faultOfMessage(text) : faultOfHint(text)
    return wrong === null ? [] : [`${file}:${line}: ${kind} ${wrong}: "${text}"`]
  })
}

/** Programs that are the subject of a message. */
const programs = /^(?:gh|git|opencode|paddock|tar) /

/** One sentence that begins with a capital, with a program, or with the place that it names. */
function faultOfMessage(text: string): string | null {
  if (!/[.!?…]$/.test(text)) return 'ends without a period'
  const isSubject = /^[^a-z]/.test(text) || programs.test(text) || /^[\w.-]+(?:[.:[/(…]|, )/.test(text)
  return isSubject ? null : 'begins neither with a capital nor with a place'
}

/** What to do: it begins with a verb, or is a command. */
function faultOfHint(text: string): string | null {
  if (text.endsWith('.') && !text.endsWith('…')) return 'ends with a period'
  return /^[a-z]/.test(text) && !commands.test(text) ? 'begins with a small letter' : null
}

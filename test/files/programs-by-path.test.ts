import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const source = path.join(import.meta.dirname, '../../src')
const starters = new Set(['spawn', 'spawnSync', 'execFile', 'execFileSync', 'fork', 'execve'])
const shells = new Set(['exec', 'execSync'])

/** Returns the problem with a call that starts a program; null if there is none, or if it starts no program. */
function wrong(call: ts.CallExpression): string | null {
  const { expression, arguments: args } = call
  const promised = ts.isCallExpression(expression) && expression.expression.getText() === 'promisify' ? expression.arguments[0] : undefined
  const named = promised ?? (ts.isPropertyAccessExpression(expression) ? expression.name : expression)
  const name = named.getText()
  const first = args[0]
  // Regular expressions and databases also have an exec. Only the one of node:child_process is called by its bare name.
  if (shells.has(name) && ts.isIdentifier(expression)) return 'it is a line for a shell'
  if (!starters.has(name) || first === undefined || !ts.isStringLiteralLike(first)) return null
  return path.isAbsolute(first.text) ? null : `${first.text} is looked for in PATH`
}

function findings(file: string, text: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const why = ts.isCallExpression(node) ? wrong(node) : null
    if (why !== null) found.push(`${file}: ${node.getText().slice(0, 80)}: ${why}`)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return found
}

test('no program is started by its bare name: PATH may lead into a project', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((each) => /\.(ts|mjs)$/.test(each))
  expect(files.length).toBeGreaterThan(200)
  expect(files.flatMap((each) => findings(each, readFileSync(path.join(source, each), 'utf8')))).toEqual([])
})

test('that look finds such programs', () => {
  const text = "execFile('sync', []); promisify(execFile)(\"ps\"); child.spawnSync(`git`); exec('true'); spawn('/bin/true'); spawn(program)"
  expect(findings('x.ts', text)).toHaveLength(4)
})

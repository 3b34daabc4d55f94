import ts from 'typescript'

/** A place in a source file where a program is started without `src/system/start-program.ts`, or by a name that would be searched for in PATH. */
export interface Violation {
  readonly line: number
  readonly what: string
}

const modules = new Set(['child_process', 'node:child_process', 'cluster', 'node:cluster'])

/** Returns the violations in the text of a TypeScript file. `mayImport`: the file may use node:child_process. */
export function violationsIn(text: string, mayImport: boolean): readonly Violation[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const found: Violation[] = []
  const starters = startersIn(source)
  const add = (node: ts.Node, what: string): void => {
    found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, what })
  }
  const isModule = (node: ts.Node | undefined): boolean => node !== undefined && ts.isStringLiteralLike(node) && modules.has(node.text)
  const look = (node: ts.Node): void => {
    if (!mayImport && (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && isModule(node.moduleSpecifier)) {
      if (!(ts.isImportDeclaration(node) ? isOnlyTypes(node) : node.isTypeOnly)) add(node, 'imports node:child_process')
    }
    if (ts.isCallExpression(node)) {
      const [first] = node.arguments
      // import(), require(), process.getBuiltinModule() and createRequire()().
      if (!mayImport && isModule(first)) add(node, 'loads node:child_process')
      if (ts.isIdentifier(node.expression) && starters.has(node.expression.text) && first !== undefined && ts.isStringLiteralLike(first))
        if (!first.text.startsWith('/')) add(node, `starts "${first.text}" by its name`)
    }
    ts.forEachChild(node, look)
  }
  look(source)
  return found
}

function isOnlyTypes({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return false
  if (importClause.isTypeOnly) return true
  const { name, namedBindings } = importClause
  return (
    name === undefined &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.every((each) => each.isTypeOnly)
  )
}

/** Returns the names under which a file imports the functions of src/system/start-program.ts. */
function startersIn(source: ts.SourceFile): ReadonlySet<string> {
  return new Set(
    source.statements.flatMap((each) => {
      if (!ts.isImportDeclaration(each) || !ts.isStringLiteral(each.moduleSpecifier) || !/\/start\.ts$/.test(each.moduleSpecifier.text))
        return []
      const bindings = each.importClause?.namedBindings
      return bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : []
    }),
  )
}

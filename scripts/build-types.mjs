import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))
const [source, target] = [path.join(root, 'src'), path.join(root, 'dist/types')]

/** Writes the declarations of the package's API, and those they depend on, into dist/types/. */
export function buildTypes() {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const declarations = { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: source, outDir: target }
  const program = ts.createProgram([path.join(source, 'index.ts')], declarations)
  const written = new Map()
  const { diagnostics } = program.emit(undefined, (file, text) => written.set(file, text), undefined, true)
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(declarations)))
  rmSync(target, { recursive: true, force: true })
  const open = [path.join(target, 'index.d.ts')]
  for (const file of open) {
    const text = /from 'zod'/.test(written.get(file)) ? withoutSchemas(program, file) : written.get(file)
    const needed = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName)
    for (const each of needed.filter((name) => name.startsWith('.'))) {
      const at = path.join(path.dirname(file), each.replace(/\.ts$/, '.d.ts'))
      if (!open.includes(at)) open.push(at)
    }
    mkdirSync(path.dirname(file), { recursive: true })
    // Programs that import the package may not resolve file names of sources.
    writeFileSync(
      file,
      text.replace(/((?:from|import) ?\(?['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, (_, before, quote) => `${before}.js${quote}`),
    )
  }
}

/**
 * Returns the declarations of a file with schemas: its types written out, because the bundle contains the library of the schemas, with imports
 * of the types that they name.
 */
function withoutSchemas(program, file) {
  const from = program.getSourceFile(path.join(source, path.relative(target, file).replace(/\.d\.ts$/, '.ts')))
  const [checker, printer] = [program.getTypeChecker(), ts.createPrinter()]
  const flags = ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.InTypeAlias
  const exported = from.statements.filter((each) => ts.isTypeAliasDeclaration(each) && each.modifiers?.length > 0)
  const texts = exported.map((each) => {
    const node = checker.typeToTypeNode(checker.getTypeAtLocation(each.name), undefined, flags)
    return `export type ${each.name.text} = ${printer.printNode(ts.EmitHint.Unspecified, node, from)}\n`
  })
  const text = texts.join('')
  const imports = from.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const named = importClause?.namedBindings
    const names = named !== undefined && ts.isNamedImports(named) ? named.elements.map((each) => each.name.text) : []
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text))
    return used.length === 0 ? [] : [`import type { ${used.join(', ')} } from '${moduleSpecifier.text}'\n`]
  })
  return `${imports.join('')}${text}`
}

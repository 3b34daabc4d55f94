import { closeSync, readSync } from 'node:fs'
import path from 'node:path'
import { WalkTooLarge, walk } from '../../files/walk.ts'
import type { Contest } from '../config/brief.ts'
import type { CheckConfig } from '../config/contest-schema.ts'

const [mostFiles, mostBytes, mostNames] = [1000, 256 * 1024, 500]

/** A directory of a submission, as checks see it (`at`) and as a path in the submission (`below`). */
interface Place {
  readonly at: string
  readonly below: string
}

type About = Pick<Contest, 'config' | 'layout'>

/** The files that a submission would probably have. */
export interface Likely {
  readonly files: readonly string[]
  /** The names that checks import from JavaScript modules. */
  readonly exports: readonly string[]
}

/**
 * Returns required outputs, and the files that the checks import, start or read, according to their commands and to the texts in their `files`
 * and `inputs`.
 */
export async function likelyFiles({ config, layout }: About): Promise<Likely> {
  const { checks, outputs, workspace } = config
  const places: Place[] = (workspace?.directories ?? ['/submission']).map((at) => ({
    at,
    below: workspace === undefined ? '' : at.slice(1),
  }))
  const cwd = workspace?.cwd.slice(1) ?? ''
  const found = new Set(outputs.required.map((each) => path.posix.normalize(each)))
  const exports = new Set<string>()
  const add = (names: readonly string[]): void => {
    for (const each of names) if (found.size < mostNames) found.add(path.posix.normalize(each))
  }
  for (const each of checks.flatMap(commandsOf)) add(namedIn('', each, places, cwd))
  for (const directory of new Set(checks.flatMap((each) => [each.files, each.inputs].flatMap((one) => one ?? [])))) {
    const { texts, names } = await readTexts(path.join(layout.root, directory))
    for (const { file, text } of texts) {
      add(namedIn(file, text, places, cwd).filter((each) => !names.has(path.posix.relative(cwd, each))))
      if (isJavaScript.test(file)) for (const each of importsIn(text)) exports.add(each)
    }
  }
  return { files: [...found].filter((each) => !/[*?[\]{}]|^\.\.|^\.$|\/$/.test(each)), exports: [...exports] }
}

function commandsOf({ run, command, verify }: CheckConfig): string[] {
  return [run, command, verify].flatMap((each) => (each === undefined ? [] : [[each].flat().join('\n')]))
}

const isJavaScript = /\.[cm]?[jt]sx?$/
const scripts = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|sh|bash)$/

/** Returns the files of a submission that a text names, as paths in the submission. `cwd`: where its checks start. */
function namedIn(file: string, text: string, places: readonly Place[], cwd: string): string[] {
  const all = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map((each) => each[1] ?? '')
  const beside = [
    ...all(/(?<![\w./])\.\/(\w[\w./-]*)/g),
    // "$directory/program", `${directory}/program`
    ...all(/\$\{?\w+\}?\/(\w[\w./-]*)/g),
    ...all(/['"`](\w[\w./-]*)['"`]/g).filter((each) => scripts.test(each)),
    ...modulesIn(file, text, places),
  ].map((each) => path.posix.join(cwd, each))
  const absolute = places.flatMap(({ at, below }) =>
    all(new RegExp(`(?<![\\w.-])${at.replaceAll(/[^\w/]/g, '\\$&')}/(\\w[\\w./-]*)`, 'g')).map((each) => path.posix.join(below, each)),
  )
  const named = [...absolute, ...beside].map((each) => each.replace(/\.$/, ''))
  if (!isJavaScript.test(file)) return named
  // require('/submission/lib') finds lib.js.
  const modules = all(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"`]([^'"`]+)['"`]/g)
  return named.map((each) => (path.posix.extname(each) === '' && modules.some((one) => one.endsWith(`/${each}`)) ? `${each}.js` : each))
}

/** Returns the names that static imports need, without which a module is not even started. */
function importsIn(text: string): string[] {
  const statements = [...text.matchAll(/\bimport\s+(?:(\w+)\s*,?\s*)?(?:\{([^}]*)\})?\s*from\b/g)]
  return statements.flatMap(([, ofDefault, list]) => [
    ...(ofDefault === undefined ? [] : ['default']),
    ...(list ?? '').split(',').flatMap((each) => /^\s*([A-Za-z_$][\w$]*)/.exec(each)?.[1] ?? []),
  ])
}

/** Returns the Python modules that are imported after the directory of the submission was added to `sys.path`. */
function modulesIn(file: string, text: string, places: readonly Place[]): string[] {
  if (!file.endsWith('.py')) return []
  const first = Math.min(...places.map(({ at }) => text.indexOf(at)).filter((each) => each >= 0))
  if (!Number.isFinite(first)) return []
  const modules = text.slice(first).matchAll(/^[ \t]*(?:import|from)[ \t]+([A-Za-z_]\w*)/gm)
  return [...modules].map((each) => `${each[1]}.py`)
}

/** Returns the texts below a directory, and the names of all files there. Larger files are read only at their beginning. */
async function readTexts(
  directory: string,
): Promise<{ readonly texts: readonly { readonly file: string; readonly text: string }[]; readonly names: ReadonlySet<string> }> {
  const texts: { file: string; text: string }[] = []
  const names = new Set<string>()
  try {
    for await (const entry of walk(directory, { maxEntries: mostFiles, maxDepth: 20 })) {
      if (entry.kind !== 'file') continue
      const file = entry.names.map(String).join('/')
      names.add(file)
      const descriptor = entry.open()
      try {
        const bytes = Buffer.alloc(mostBytes)
        const text = bytes.subarray(0, readSync(descriptor, bytes, 0, mostBytes, 0))
        if (!text.includes(0)) texts.push({ file, text: text.toString('utf8') })
      } finally {
        closeSync(descriptor)
      }
    }
  } catch (error) {
    if (!(error instanceof WalkTooLarge)) throw error
  }
  return { texts, names }
}

import path from 'node:path'
import { hostProgram, isProgram, systemDirectories } from '../../../system/host-program.ts'
import { run } from '../../../system/start-program.ts'
import type { Recipe } from './dockerfile.ts'

const maxBuffer = 64 * 1024 * 1024

/** The packages and programs of this machine, for tasks that would otherwise install them. */
export interface Installed {
  readonly debian: ReadonlySet<string>
  /** The version of each package of python3, by normalized name (PEP 503). */
  readonly python: ReadonlyMap<string, string>
  hasProgram(name: string): boolean
}

const listPython = `
import importlib.metadata as m, json
print(json.dumps({d.metadata["Name"]: d.version for d in m.distributions() if d.metadata["Name"]}))
`

/**
 * Asks dpkg and python3 for all installed packages, once each. If one of them is not installed, its list is empty. `searchPath`: the PATH in
 * which programs of tasks are looked up.
 */
export async function installedHere(searchPath: string): Promise<Installed> {
  // Not run in the current directory, because programs load code from their working directory, which may contain the tasks.
  const ask = async (name: string, args: readonly string[]): Promise<string> => {
    const program = hostProgram(name, searchPath)
    if (program === null) return ''
    return await run(program, [...args], { maxBuffer, cwd: '/' }).then(
      ({ stdout }) => stdout,
      () => '',
    )
  }
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the syntax of dpkg.
  const debian = await ask('dpkg-query', ['-W', '-f', '${db:Status-Abbrev} ${Package} ${Provides}\n'])
  const python = await ask('python3', ['-I', '-c', listPython])
  const packages = debian.split('\n').flatMap((line) => {
    const [status, name, ...provides] = line
      .replaceAll(/\([^)]*\)|,/g, ' ')
      .trim()
      .split(/\s+/)
    return status === 'ii' && name !== undefined ? [name, ...provides] : []
  })
  const distributions = python === '' ? [] : Object.entries(JSON.parse(python) as Record<string, string>)
  return {
    debian: new Set(packages),
    python: new Map(distributions.map(([name, version]) => [normal(name), version])),
    // The program runs only in cells, so any directory of PATH counts.
    hasProgram: (name) =>
      [...systemDirectories, ...searchPath.split(':').filter((each) => path.isAbsolute(each))].some((each) =>
        isProgram(path.join(each, name)),
      ),
  }
}

/** Returns the requirements of a task that are missing here, and versions that differ from the pinned ones. */
export function missingOf(
  { apt, pip, programs }: Recipe['packages'],
  { debian, python, hasProgram }: Installed,
): { readonly missing: readonly string[]; readonly notes: readonly string[] } {
  const missing: string[] = []
  const notes: string[] = []
  // A package often has the name of its program, and the program may be installed without the package.
  for (const name of new Set(apt)) if (!debian.has(name) && !hasProgram(name)) missing.push(`the Debian package ${name}`)
  for (const wish of new Set(pip)) {
    const [, name = '', pinned] = /^([\w.-]+)(?:\[[^\]]*\])?(?:==([\w.!+-]+))?/.exec(wish) ?? []
    const here = python.get(normal(name))
    if (here === undefined) missing.push(`the Python package ${name}`)
    else if (pinned !== undefined && pinned !== here) notes.push(`${name} is ${here} here, and the task names ${pinned}`)
  }
  for (const name of new Set(programs)) if (!hasProgram(name)) missing.push(`the program ${name}`)
  return { missing, notes }
}

function normal(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-')
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Recipe } from './dockerfile.ts'

const run = promisify(execFile)
const maxBuffer = 64 * 1024 * 1024

/** What is installed on this machine, for tasks that would install it. */
export interface Installed {
  readonly debian: ReadonlySet<string>
  /** Of python3, by normal name (PEP 503). */
  readonly python: ReadonlyMap<string, string>
  hasProgram(name: string): Promise<boolean>
}

const listPython = `
import importlib.metadata as m, json
print(json.dumps({d.metadata["Name"]: d.version for d in m.distributions() if d.metadata["Name"]}))
`

/** Asks dpkg and python3 once for all that they have; without them, nothing is installed. */
export async function installedHere(): Promise<Installed> {
  // Not where the user is: programs load code from the directory that they are started in, and that may be the tasks'.
  const ask = async (program: string, args: readonly string[]): Promise<string> =>
    await run(program, [...args], { maxBuffer, cwd: '/' }).then(
      ({ stdout }) => stdout,
      () => '',
    )
  // biome-ignore lint/suspicious/noTemplateCurlyInString: these are dpkg's.
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
  const programs = new Map<string, Promise<boolean>>()
  return {
    debian: new Set(packages),
    python: new Map(distributions.map(([name, version]) => [normal(name), version])),
    hasProgram(name) {
      const known = programs.get(name) ?? ask('sh', ['-c', 'command -v "$1"', 'sh', name]).then((found) => found !== '')
      programs.set(name, known)
      return known
    },
  }
}

/** Returns what a task needs and is not here, and which versions differ from what it names. */
export async function missingOf(
  { apt, pip, programs }: Recipe['packages'],
  { debian, python, hasProgram }: Installed,
): Promise<{ readonly missing: readonly string[]; readonly notes: readonly string[] }> {
  const missing: string[] = []
  const notes: string[] = []
  // A package is often called like its program, which may be here without the package.
  for (const name of new Set(apt)) if (!debian.has(name) && !(await hasProgram(name))) missing.push(`the Debian package ${name}`)
  for (const wish of new Set(pip)) {
    const [, name = '', pinned] = /^([\w.-]+)(?:\[[^\]]*\])?(?:==([\w.!+-]+))?/.exec(wish) ?? []
    const here = python.get(normal(name))
    if (here === undefined) missing.push(`the Python package ${name}`)
    else if (pinned !== undefined && pinned !== here) notes.push(`${name} is ${here} here, and the task names ${pinned}`)
  }
  for (const name of new Set(programs)) if (!(await hasProgram(name))) missing.push(`the program ${name}`)
  return { missing, notes }
}

function normal(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-')
}

import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { PaddockError } from '../../../base/errors.ts'
import { readRegularSync } from '../../../files/read-regular.ts'
import type { ContestDeps } from '../../state/contest-deps.ts'
import { askInCell, cellOf, type Question } from '../ask-in-cell.ts'
import type { Alias } from './dockerfile.ts'

const maxListBytes = 64 * 1024 * 1024

/** The packages and programs of this machine, for tasks that would otherwise install them. */
export interface Installed {
  readonly debian: ReadonlySet<string>
  /** The version of python3, such as 3.11; null: it is not installed. */
  readonly pythonVersion: string | null
  /** The version of each package of python3, by normalized name (PEP 503). */
  readonly python: ReadonlyMap<string, string>
  /** Returns whether this machine has a program, by name or absolute path. */
  hasProgram(name: string): boolean
}

const listPython =
  'import importlib.metadata as m, json, sys; print(json.dumps({"version": "%d.%d" % sys.version_info[:2], "packages": {d.metadata["Name"]: d.version for d in m.distributions() if d.metadata["Name"]}}))'
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is the syntax of dpkg.
const listDebian = "dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Provides}\\n'"

/**
 * Asks dpkg and python3 for all installed packages, once each, in a cell like those of tasks, which may have another python3 than the host. If
 * one of them is not installed, its list is empty. `scratch`: a directory for temporary files.
 */
export async function installedHere(
  { startCell, programs, signal }: Pick<ContestDeps, 'startCell' | 'programs' | 'signal'>,
  scratch: string,
): Promise<Installed> {
  const result = path.join(scratch, 'installed')
  await mkdir(result, { recursive: true, mode: 0o700 })
  const question: Question = {
    name: 'installed packages',
    script: `${listDebian} > /result/debian; python3 -c '${listPython}' > /result/python`,
    mounts: [{ source: result, target: '/result', access: 'rw', reason: 'contest' }],
  }
  const ending = await askInCell(question, { startCell, signal })
  signal.throwIfAborted()
  // The exit code is that of python3, which may be missing.
  if (ending.kind !== 'exited')
    throw new PaddockError(
      'CELL_FAILED',
      `The installed packages could not be listed in a cell: ${ending.kind === 'start-failed' ? ending.message : ending.kind.replaceAll('-', ' ')}`,
      { hint: 'Run: paddock doctor' },
    )
  const listed = (name: string): string => readRegularSync(path.join(result, name), maxListBytes) ?? ''
  const packages = listed('debian')
    .split('\n')
    .flatMap((line) => {
      const [status, name, ...provides] = line
        .replaceAll(/\([^)]*\)|,/g, ' ')
        .trim()
        .split(/\s+/)
      return status === 'ii' && name !== undefined ? [name, ...provides] : []
    })
  const isInCell = programs(cellOf(question))
  const known = new Map<string, boolean>()
  const hasProgram = (name: string): boolean => {
    const is = known.get(name) ?? isInCell(name)
    known.set(name, is)
    return is
  }
  return { debian: new Set(packages), ...pythonIn(listed('python')), hasProgram }
}

/** The answer of `listPython`. */
const pythonSchema = z.object({ version: z.string(), packages: z.record(z.string(), z.string().nullable()) })

function pythonIn(text: string): Pick<Installed, 'pythonVersion' | 'python'> {
  if (text === '') return { pythonVersion: null, python: new Map() }
  const { version, packages } = pythonSchema.parse(JSON.parse(text))
  return { pythonVersion: version, python: new Map(Object.entries(packages).map(([name, each]) => [normal(name), each ?? ''])) }
}

/** The requirements of a task. */
interface Wishes {
  readonly apt: readonly string[]
  readonly pip: readonly string[]
  readonly programs: readonly string[]
  readonly aliases: readonly Alias[]
  /** Versions of python3. */
  readonly pythons: readonly string[]
  /** The names of programs and packages that the task gets from Paddock. */
  readonly given: readonly string[]
}

interface Found {
  readonly missing: readonly string[]
  readonly notes: readonly string[]
  /** Names that this machine does not have, for programs that it has. */
  readonly aliases: readonly Alias[]
}

/** Returns the requirements of a task that are missing here, and versions that differ from the pinned ones. */
export function missingOf(wishes: Wishes, { debian, python, pythonVersion, hasProgram }: Installed): Found {
  const { apt, pip, programs, aliases, pythons, given } = wishes
  const missing = new Set<string>()
  const notes: string[] = []
  // A package often has the name of its program, and the program may be installed without the package.
  const hasDebian = (name: string): boolean =>
    debian.has(name) ||
    hasProgram(name) ||
    given.includes(name) ||
    python.has(normal(name.replace(/^python3-/, ''))) ||
    (name === 'python3-pip' && (given.includes('pip') || given.includes('pip3')))
  for (const name of new Set(apt)) if (!hasDebian(name)) missing.add(`the Debian package ${name}`)
  for (const wish of new Set(pip)) {
    const [, name = wish, pinned] = /^([\w.-]+)(?:\[[^\]]*\])?(?:==([\w.!+-]+))?/.exec(wish) ?? []
    const here = python.get(normal(name))
    if (given.includes(normal(name))) continue
    if (here === undefined) missing.add(`the Python package ${name}`)
    else if (pinned !== undefined && pinned !== here) notes.push(`${name} is ${here} here, and the task names ${pinned}`)
  }
  for (const name of new Set(programs)) if (!hasProgram(name)) missing.add(`the program ${name}`)
  for (const each of new Set(pythons))
    if (pythonVersion !== null && each !== pythonVersion) notes.push(`python3 is ${pythonVersion} here, and the task names ${each}`)
  const made: Alias[] = []
  for (const { name, program } of aliases) {
    if (hasProgram(name)) continue
    const base = path.posix.basename(program)
    if (!hasProgram(base) && !hasProgram(program)) missing.add(`the program ${base}`)
    else {
      made.push({ name, program: hasProgram(base) ? base : program })
      notes.push(`${name} is not a program here: its tests get ${base} under this name, and participants do not`)
    }
  }
  return { missing: [...missing], notes, aliases: made }
}

function normal(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-')
}

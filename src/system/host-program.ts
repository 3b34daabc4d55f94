import { accessSync, constants, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { FixableError } from '../base/fixable-error.ts'
import { installHint } from './packages.ts'
import { isIn, pathsTo, realPathOf } from './paths-to.ts'

/** The directories of system programs. None of them belongs to a project or a user. */
export const systemDirectories: readonly string[] = [
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/run/current-system/sw/bin',
]

/** The PATH for system programs. */
export const systemPath = systemDirectories.join(':')

/** The rules of this process for programs outside the system's directories. */
export interface ProgramRules {
  /** The directories of `host.path` in the user's configuration. Their programs run with any owner and in any place. */
  readonly own: readonly string[]
  /**
   * Returns a check of absolute paths. It returns the reason why a program there may be an agent's ("it is in …"), or null. The check is
   * used for one search only.
   */
  readonly refusals: () => (file: string) => string | null
}

let rules: ProgramRules | null = null

/** Sets the rules of this process. Without rules, only system directories are searched. */
export function setProgramRules(next: ProgramRules | null): void {
  rules = next
}

interface Search {
  /** The absolute path of the program; null: there is no program of that name that may run. */
  readonly file: string | null
  /** The programs in PATH that may not run, in the order of PATH. */
  readonly refused: readonly { readonly file: string; readonly why: string }[]
}

/**
 * Looks for a program that Paddock starts on the host: in the system's directories, then in those of `host.path`, then in the absolute
 * directories of PATH. A program of PATH must belong to root or to the user, and must not be reached through a project or a directory that
 * a cell can write to, because an agent may have put it there (direnv, node_modules/.bin, .venv/bin). `projects`: further projects, by
 * absolute path.
 */
function search(name: string, searchPath: string, projects: readonly string[]): Search {
  const trusted = [...systemDirectories, ...(rules?.own ?? [])].map((each) => path.join(each, name)).find(isProgram)
  if (trusted !== undefined) return { file: trusted, refused: [] }
  const refused: { file: string; why: string }[] = []
  const refuse = refusalsOf(projects)
  for (const directory of rules === null ? [] : searchPath.split(':').filter((each) => path.isAbsolute(each))) {
    const file = path.join(directory, name)
    if (!isProgram(file)) continue
    const why = refuse(file) ?? whyForeign(statSync(file))
    if (why === null) return { file, refused }
    refused.push({ file, why })
  }
  return { file: null, refused }
}

/** Returns the absolute path of a program for the host (`search`); null: there is none, or it may not run. */
export function hostProgram(name: string, searchPath = '', projects: readonly string[] = []): string | null {
  return search(name, searchPath, projects).file
}

/**
 * Returns a program like `hostProgram`. `purpose`: "to build cells". `alike`: all programs that the same purpose needs, so that
 * `paddock doctor --fix` installs them at once.
 * @throws PaddockError UNENFORCEABLE with the way to install the program, or with the reason why the one in PATH does not run
 */
export function requireHostProgram(
  name: string,
  searchPath: string,
  purpose: string,
  projects: readonly string[] = [],
  alike: readonly string[] = [name],
): string {
  const { file } = search(name, searchPath, projects)
  if (file !== null) return file
  const refusal = refusedProgram(name, searchPath, projects)
  const missing = alike.filter(
    (each) => hostProgram(each, searchPath, projects) === null && refusedProgram(each, searchPath, projects) === null,
  )
  throw new FixableError('UNENFORCEABLE', `${refusal?.message ?? `${name} is not installed`}; it is needed ${purpose}.`, {
    hint: refusal?.hint ?? installHint(name),
    remedies: missing.map((each) => ({ kind: 'program', name: each })),
  })
}

/** Returns the reason why a program of PATH does not run, without a period at the end, and the fix. Null: PATH has no such program. */
export function refusedProgram(
  name: string,
  searchPath: string,
  projects: readonly string[] = [],
): { readonly message: string; readonly hint: string } | null {
  const [first] = search(name, searchPath, projects).refused
  if (first === undefined) return null
  return {
    message: `${first.file} does not run on this machine, because ${first.why}`,
    hint: `If you trust it, add ${path.dirname(first.file)} to host.path in config.yaml, or install ${name} for the whole machine`,
  }
}

/**
 * Returns the PATH for a program of the host that looks for other programs itself, as git does for gpg: the directories that `hostProgram`
 * searches, in its order.
 */
export function hostSearchPath(searchPath: string, projects: readonly string[] = []): string {
  const refuse = refusalsOf(projects)
  const others = rules === null ? [] : searchPath.split(':').filter((each) => path.isAbsolute(each) && refuse(each) === null)
  return [...new Set([...systemDirectories, ...(rules?.own ?? []), ...others])].join(':')
}

/** Returns true for a file that this process may run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** Returns a check of a path and of the links on the way to its file: the reason why an agent may have put it there, or null. */
function refusalsOf(projects: readonly string[]): (file: string) => string | null {
  const refuse = rules?.refusals()
  const real = projects.map((each) => ({ project: each, ways: [each, realPathOf(each)] }))
  return (file) => {
    for (const way of pathsTo(file)) {
      const around = real.find(({ ways }) => ways.some((each) => isIn(each, way)))
      const why = around === undefined ? (refuse?.(way) ?? null) : `it is in the project ${around.project}`
      if (why !== null) return why
    }
    return null
  }
}

/** Returns the reason why another user of this machine can change a file; null: none can. */
function whyForeign({ uid, gid, mode }: Stats): string | null {
  if (uid !== 0 && uid !== process.getuid?.()) return 'it belongs to another user'
  if ((mode & 0o002) !== 0) return 'every user can change it'
  return (mode & 0o020) !== 0 && gid !== process.getgid?.() ? 'another group can change it' : null
}

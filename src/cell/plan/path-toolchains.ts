import { accessSync, constants, existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'

/** Installations relative to the user's home. They contain only programs and libraries, and never credentials. */
const inHome = [
  ...[
    '.nvm',
    '.fnm',
    '.local/share/fnm',
    '.volta',
    '.asdf',
    '.local/share/mise',
    '.pyenv',
    '.rbenv',
    '.rustup',
    '.cargo/bin',
    'go/bin',
    'sdk',
  ],
  ...['.sdkman/candidates', '.bun/bin', '.deno/bin', '.local/bin', '.local/lib', '.local/share/uv/python', '.local/share/uv/tools'],
  ...['.local/share/pipx', '.linuxbrew', '.terminfo', 'bin'],
]

/** Installations that a directory of PATH shows, relative to the user's home. `.` stands for the directory itself. */
const byEntry: readonly (readonly [entry: RegExp, shown: readonly string[]])[] = [
  [/^(miniconda|anaconda|miniforge|mambaforge|micromamba)\d*\/(bin|condabin)$/, ['..']],
  [/^\.opam\/[^/]+\/bin$/, ['.opam']],
  [/^\.dotnet(\/tools)?$/, ['.dotnet']],
  [/^\.local\/share\/pnpm(\/bin)?$/, ['.local/share/pnpm']],
  [/^\.juliaup\/bin$/, ['.juliaup', '.julia/juliaup']],
  [/^\.ghcup\/bin$/, ['.ghcup']],
  [/^\.cabal\/bin$/, ['.cabal/bin', '.cabal/lib', '.cabal/store', '.local/state/cabal/store']],
  [/^\.pixi\/bin$/, ['.pixi/bin', '.pixi/envs']],
  [/^\.yarn\/bin$|^\.config\/yarn\/global\/node_modules\/\.bin$/, ['.yarn/bin', '.config/yarn/global/node_modules']],
  [/^n\/bin$/, ['n']],
  [/^\.npm-global\/bin$|^\.npm-packages\/bin$|^\.local\/share\/npm\/bin$/, ['..']],
  [/^\.jenv\/(bin|shims)$/, ['.jenv']],
  [/^\.nodenv\/(bin|shims)$|^\.goenv\/(bin|shims)$|^\.phpenv\/(bin|shims)$|^\.tfenv\/bin$/, ['..']],
  [/^\.config\/composer\/vendor\/bin$|^\.composer\/vendor\/bin$/, ['..']],
  [/^\.gem\/ruby\/[^/]+\/bin$|^\.local\/share\/gem\/ruby\/[^/]+\/bin$/, ['..']],
  [/^\.[^/]+\/(bin|shims)$/, ['.']],
]
/** Hidden directories with credentials, of which no directory of PATH is shown unless the user names it. */
const withCredentials = /^\.(ssh|gnupg|aws|azure|kube|docker|config|password-store|pki|mozilla|thunderbird)\//

/** Maximum number of programs that are links to single files. */
const mostLinks = 100

export interface PathToolchains {
  readonly shown: readonly { readonly source: string; readonly target: string }[]
  /** Directories of PATH that a cell does not have. */
  readonly dropped: readonly string[]
}

/**
 * Finds the user's toolchains: known installations in the home, and those that PATH names, including the files that links in
 * directories of programs lead to. `more`: further installations relative to the home. `isSystem`: returns true for paths that every cell has.
 * `terminfo`: the directory with the user's descriptions of terminals.
 */
export function pathToolchains(
  searchPath: string,
  home: string,
  more: readonly string[],
  isSystem: (file: string) => boolean,
  terminfo?: string,
): PathToolchains {
  const shown = new Map<string, string>()
  const show = (target: string): void => {
    const source = realDirectory(target)
    if (source !== null) shown.set(target, source)
  }
  for (const each of [...inHome, ...more]) show(path.join(home, each))
  show('/home/linuxbrew/.linuxbrew')
  if (terminfo !== undefined && path.isAbsolute(terminfo) && !isSystem(terminfo)) show(terminfo)
  const isShown = (file: string): boolean =>
    isSystem(file) || [...shown].some((pair) => pair.some((each) => file === each || file.startsWith(`${each}/`)))
  const entries = [...new Set(searchPath.split(path.delimiter))]
    .filter((each) => path.isAbsolute(each))
    .map((each) => path.normalize(each).replace(/(.)\/$/, '$1'))
  for (const entry of entries.filter((each) => !isShown(each))) for (const each of installationsOf(entry, home)) show(each)
  const directories = [...entries.filter((each) => shown.has(each)), path.join(home, '.local/bin'), path.join(home, 'bin')]
  for (const { target, file } of [...new Set(directories)].flatMap(programLinks).slice(0, mostLinks))
    if (!isShown(target) && target.startsWith(`${home}/`) && !withCredentials.test(path.relative(home, target))) shown.set(target, file)
  return {
    shown: [...shown].map(([target, source]) => ({ source, target })),
    dropped: entries.filter((each) => !isShown(each) && existsSync(each)),
  }
}

function installationsOf(entry: string, home: string): readonly string[] {
  const prefix = path.dirname(entry)
  // Conda and virtual environments keep their libraries beside their programs, wherever they are.
  if (path.basename(entry) === 'bin' && ['conda-meta', 'pyvenv.cfg'].some((each) => isThere(path.join(prefix, each)))) return [prefix]
  // The base of a conda environment holds its packages.
  if (path.basename(entry) === 'condabin' && isThere(path.join(prefix, 'conda-meta'))) return [prefix]
  if (!entry.startsWith(`${home}/`)) return []
  const relative = path.relative(home, entry)
  if (withCredentials.test(relative) && !relative.startsWith('.config/yarn/') && !relative.startsWith('.config/composer/')) return []
  const found = byEntry.find(([pattern]) => pattern.test(relative))?.[1] ?? []
  return found.map((each) => (each === '.' ? entry : each === '..' ? prefix : path.join(home, each)))
}

/** Returns the programs in a directory that are links: the paths that they name, and the files that they lead to. */
function programLinks(directory: string): readonly { readonly target: string; readonly file: string }[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((each) => {
      if (!each.isSymbolicLink()) return []
      const link = path.join(directory, each.name)
      try {
        const file = realpathSync(link)
        return statSync(file).isFile() ? [{ target: path.resolve(directory, readlinkSync(link)), file }] : []
      } catch {
        return []
      }
    })
  } catch {
    return []
  }
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}

/** Returns a directory without links in its path; null if there is none, or if it cannot be searched. */
function realDirectory(directory: string): string | null {
  try {
    if (!statSync(directory).isDirectory()) return null
    accessSync(directory, constants.R_OK | constants.X_OK)
    return realpathSync(directory)
  } catch {
    return null
  }
}

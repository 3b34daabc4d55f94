import { accessSync, constants, existsSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { isIn, pathsTo, realPathOf } from '../../../system/paths-to.ts'

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

/** Installations that a directory of PATH shows, relative to the user's home. `.`: the directory itself; `..`: the parts around it. */
const byEntry: readonly (readonly [entry: RegExp, shown: readonly string[]])[] = [
  [/^(miniconda|anaconda|miniforge|mambaforge|micromamba)\d*\/(bin|condabin)$/, ['..']],
  [/^\.opam\/[^/]+\/bin$/, ['.opam']],
  [
    /^\.dotnet(\/tools)?$/,
    ['.dotnet/tools', '.dotnet/sdk', '.dotnet/shared', '.dotnet/host', '.dotnet/packs', '.dotnet/templates', '.dotnet/dotnet'],
  ],
  [/^\.local\/share\/pnpm(\/bin)?$/, ['.local/share/pnpm']],
  [/^\.juliaup\/bin$/, ['.juliaup', '.julia/juliaup']],
  [/^\.ghcup\/bin$/, ['.ghcup']],
  [/^\.cabal\/bin$/, ['.cabal/bin', '.cabal/lib', '.cabal/store', '.local/state/cabal/store']],
  [/^\.pixi\/bin$/, ['.pixi/bin', '.pixi/envs']],
  [/^\.yarn\/bin$|^\.config\/yarn\/global\/node_modules\/\.bin$/, ['.yarn/bin', '.config/yarn/global/node_modules']],
  [/^n\/bin$/, ['..']],
  [/^\.npm-global\/bin$|^\.npm-packages\/bin$|^\.local\/share\/npm\/bin$/, ['..']],
  [/^\.jenv\/(bin|shims)$/, ['.jenv']],
  [/^\.nodenv\/(bin|shims)$|^\.goenv\/(bin|shims)$|^\.phpenv\/(bin|shims)$|^\.tfenv\/bin$/, ['..']],
  [/^\.config\/composer\/vendor\/bin$|^\.composer\/vendor\/bin$/, ['..']],
  [/^\.gem\/ruby\/[^/]+\/bin$|^\.local\/share\/gem\/ruby\/[^/]+\/bin$/, ['..']],
  [/^\.[^/]+\/(bin|shims)$/, ['.']],
]
/** Hidden directories with credentials, of which no directory of PATH is shown unless the user names it. */
const withCredentials = /^\.(ssh|gnupg|aws|azure|kube|docker|config(?!\/(yarn|composer)\/)|password-store|pki|mozilla|thunderbird)\//

/** Maximum number of programs that are links to single files. */
const mostLinks = 100

/** What no toolchain is taken from, because a cell may have put it there, or must not see it. All paths are absolute. */
export interface KeptApart {
  /** Paddock's own directories. */
  readonly own: readonly string[]
  /** Directories that cells could write to. */
  readonly writable: readonly string[]
}

export interface PathToolchains {
  readonly shown: readonly { readonly source: string; readonly target: string }[]
  /** Directories of PATH that a cell does not have. */
  readonly dropped: readonly string[]
}

/**
 * Finds the user's toolchains: known installations in the home, and those that PATH names, including the files that links in
 * directories of programs lead to. `more`: further installations relative to the home. `isSystem`: returns true for paths that every cell has.
 * `terminfo`: the directories with descriptions of terminals, from the environment (terminfo(5)).
 */
export function pathToolchains(
  searchPath: string,
  home: string,
  more: readonly string[],
  isSystem: (file: string) => boolean,
  { own, writable }: KeptApart,
  terminfo: readonly string[] = [],
): PathToolchains {
  const shown = new Map<string, string>()
  const homes = [home, realPathOf(home)]
  const isApart = (target: string, source: string): boolean =>
    !pathsTo(target).some((way) => writable.some((tree) => isIn(tree, way))) &&
    ![...writable, ...homes, ...own].some((each) => isIn(source, each)) &&
    !own.some((each) => isIn(each, source)) &&
    !homes.some((each) => isIn(each, source) && withCredentials.test(`${path.relative(each, source)}/`))
  const show = (target: string): void => {
    const source = realOf(target)
    if (source !== null && isApart(target, source)) shown.set(target, source)
  }
  for (const each of [...inHome, ...more]) show(path.join(home, each))
  for (const each of partsOf('/home/linuxbrew/.linuxbrew')) show(each)
  for (const each of terminfo) if (path.isAbsolute(each) && !isSystem(each)) show(each)
  const isShown = (file: string): boolean =>
    isSystem(file) || [...shown].some((pair) => pair.some((each) => file === each || file.startsWith(`${each}/`)))
  const entries = [...new Set(searchPath.split(path.delimiter))]
    .filter((each) => path.isAbsolute(each))
    .map((each) => path.normalize(each).replace(/(.)\/$/, '$1'))
  for (const entry of entries.filter((each) => !isShown(each))) for (const each of installationsOf(entry, home)) show(each)
  const directories = [...entries.filter((each) => shown.has(each)), path.join(home, '.local/bin'), path.join(home, 'bin')]
  for (const { target, file } of [...new Set(directories)].flatMap(programLinks).slice(0, mostLinks))
    if (!isShown(target) && target.startsWith(`${home}/`) && isApart(target, file)) shown.set(target, file)
  return {
    shown: [...shown].map(([target, source]) => ({ source, target })),
    dropped: entries.filter((each) => !isShown(each) && existsSync(each)),
  }
}

function installationsOf(entry: string, home: string): readonly string[] {
  const prefix = path.dirname(entry)
  // Conda and virtual environments keep their libraries beside their programs, wherever they are.
  if (path.basename(entry) === 'bin' && ['conda-meta', 'pyvenv.cfg'].some((each) => isThere(path.join(prefix, each))))
    return partsOf(prefix)
  // The base of a conda environment holds its packages.
  if (path.basename(entry) === 'condabin' && isThere(path.join(prefix, 'conda-meta'))) return partsOf(prefix)
  if (!entry.startsWith(`${home}/`)) return []
  const relative = path.relative(home, entry)
  if (withCredentials.test(`${relative}/`)) return []
  const found = byEntry.find(([pattern]) => pattern.test(relative))?.[1] ?? []
  return found.flatMap((each) => (each === '.' ? [entry] : each === '..' ? partsOf(prefix) : [path.join(home, each)]))
}

/** Returns the parts of an installation, without settings, data and hidden files, which may contain credentials (`etc/npmrc`, `.condarc`). */
function partsOf(prefix: string): readonly string[] {
  try {
    const names = readdirSync(prefix, { withFileTypes: true }).filter((each) => each.isDirectory() && !each.name.startsWith('.'))
    return names.filter((each) => !['etc', 'var', 'pkgs'].includes(each.name)).map((each) => path.join(prefix, each.name))
  } catch {
    return []
  }
}

/** Returns the programs in a directory that are links: the paths that they name, and the files that they lead to. */
function programLinks(directory: string): readonly { readonly target: string; readonly file: string }[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((each) => {
      if (!each.isSymbolicLink()) return []
      const link = path.join(directory, each.name)
      try {
        const file = realpathSync(link)
        const stat = statSync(file)
        // A private key, for example, is not executable.
        return stat.isFile() && (stat.mode & 0o111) !== 0 ? [{ target: path.resolve(directory, readlinkSync(link)), file }] : []
      } catch {
        return []
      }
    })
  } catch {
    return []
  }
}

function isThere(file: string): boolean {
  return existsSync(file)
}

/** Returns the path without links of a directory, or of a program; null if there is none, or if it cannot be searched. */
function realOf(file: string): string | null {
  try {
    const stat = statSync(file)
    if (!stat.isDirectory() && (stat.mode & 0o111) === 0) return null
    accessSync(file, constants.R_OK | constants.X_OK)
    return realpathSync(file)
  } catch {
    return null
  }
}

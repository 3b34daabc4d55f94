import { readlinkSync } from 'node:fs'
import path from 'node:path'
import { entriesOf } from '../../files/entries-of.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { realOf } from '../../git/git-settings.ts'
import { contains } from './filesystem.ts'
import type { Ways } from './machine-facts.ts'

const mostLinks = 500
const mostDirectories = 200
const mostManifests = 50
/** Maximum number of packages of a directory whose files are looked at: a package manager links those of all packages, or of none. */
const mostSamples = 3
const mostBytes = 1024 ** 2

/** A path of a project that leads out of it. */
export interface WayOut {
  /** The text before the target, such as "node_modules leads to". */
  readonly what: string
  /** An absolute path without links. */
  readonly target: string
}

/** Patterns for the paths that a file of a package manager names, by the file's name. */
const patterns = new Map([
  // https://go.dev/ref/mod#go-mod-file-replace
  ['go.mod', /=>[ \t]*"?(\.\.?\/[^\s"]+|\/[^\s"]+)/g],
  // https://go.dev/ref/mod#go-work-file-use
  ['go.work', /^[ \t]*(?:use[ \t]+)?\(?"?(\.\.\/[^\s")]*|\.\.|\/[^\s/")][^\s")]*)/gm],
  // https://doc.rust-lang.org/cargo/reference/specifying-dependencies.html
  ['Cargo.toml', /\bpath\s*=\s*["']([^"'\n]+)["']/g],
  // https://docs.astral.sh/uv/concepts/projects/dependencies/#path
  ['pyproject.toml', /\bpath\s*=\s*["']([^"'\n]+)["']/g],
  // https://docs.npmjs.com/cli/configuring-npm/package-json#local-paths
  ['package.json', /"(?:file|link|portal):([^"\n]+)"/g],
])

/** Returns true for the name of a file of a package manager that may name directories outside. */
export function isManifest(name: string): boolean {
  return patterns.has(name)
}

/**
 * Returns the places outside of a project to which its links, those of its installed packages, and its package managers' files lead, nearest
 * to the root first. The first of each kind are looked at. Paths in `ways` are relative to the project.
 */
export function waysOut(project: string, ways: Ways): readonly WayOut[] {
  const links = shallowest(ways.links, mostLinks).flatMap((each) => linkOut(project, each))
  let left = mostLinks
  const packages = shallowest(ways.packages, mostDirectories).flatMap((directory) => {
    const inside = packageLinks(project, directory).slice(0, left)
    left -= inside.length
    return together(
      directory,
      inside.flatMap((each) => linkOut(project, each)),
      project,
    )
  })
  const manifests = shallowest(ways.manifests, mostManifests).flatMap((each) => namedIn(project, each))
  return [...links.map(({ link, target }) => ({ what: `${link} leads to`, target })), ...packages, ...manifests]
}

function shallowest(files: readonly string[], most: number): readonly string[] {
  const depth = (file: string): number => file.split('/').length
  return files.length <= 1 ? files : files.toSorted((a, b) => depth(a) - depth(b)).slice(0, most)
}

interface LinkOut {
  readonly link: string
  readonly target: string
}

/** Returns the link with the path to which it leads, if its text leads out of the project. */
function linkOut(project: string, link: string): readonly LinkOut[] {
  try {
    const file = path.join(project, link)
    if (contains(project, path.resolve(path.dirname(file), readlinkSync(file)))) return []
    return [{ link, target: realOf(file) }]
  } catch {
    return []
  }
}

/**
 * Returns the links in a directory of installed packages: packages and those of scopes, the programs of a virtual environment, and for each of
 * a few packages the first of its files that is a link.
 */
function packageLinks(project: string, directory: string): readonly string[] {
  const linksOf = (at: string): readonly string[] =>
    entriesOf(path.join(project, at)).flatMap((each) => (each.isSymbolicLink() ? [path.join(at, each.name)] : []))
  const packagesIn = (at: string): readonly string[] =>
    entriesOf(path.join(project, at)).flatMap((each) => (each.isDirectory() && !/^[.@_]/.test(each.name) ? [path.join(at, each.name)] : []))
  const filesIn = (at: string): readonly string[] =>
    packagesIn(at)
      .slice(0, mostSamples)
      .flatMap((each) => linksOf(each).slice(0, 1))
  if (path.basename(directory) === 'node_modules')
    return [
      ...linksOf(directory),
      ...entriesOf(path.join(project, directory)).flatMap(({ name }) => (name.startsWith('@') ? linksOf(path.join(directory, name)) : [])),
      // https://bun.com/docs/pm/isolated-installs
      ...linksOf(path.join(directory, '.bun')),
      // https://bun.com/docs/pm/cli/install: --backend symlink
      ...filesIn(directory),
    ]
  // https://docs.astral.sh/uv/reference/settings/#link-mode
  const libraries = packagesIn(path.join(directory, 'lib')).map((each) => path.join(each, 'site-packages'))
  return [...linksOf(path.join(directory, 'bin')), ...libraries.flatMap((each) => [...linksOf(each), ...filesIn(each)])]
}

/**
 * Returns one way out for all links of a directory that lead into the same store, else one for each link. A store of pnpm is used as a
 * whole, because its packages lead to each other (https://pnpm.io/settings#enableglobalvirtualstore).
 */
function together(directory: string, links: readonly LinkOut[], project: string): readonly WayOut[] {
  const groups = Map.groupBy(links, (each) => storeAround(each.target) ?? '')
  return [...groups].flatMap(([store, inIt]) => {
    const target = store === '' && inIt.length > 1 ? commonDirectory(inIt.map((each) => each.target)) : store
    // A directory around the project, such as the home, has more in it than packages.
    if (target !== '' && target.split('/').length > 3 && !contains(target, project)) return [{ what: `${directory} leads to`, target }]
    return inIt.map((each) => ({ what: `${each.link} leads to`, target: each.target }))
  })
}

/** Returns the directory with the packages of a global virtual store of pnpm that has this path (https://pnpm.io/settings#enableglobalvirtualstore). */
export function storeAround(file: string): string | null {
  return /^.*\/v\d+\/links(?=\/|$)/.exec(file)?.[0] ?? null
}

function commonDirectory(files: readonly string[]): string {
  const [first = '', ...others] = files
  let at = path.dirname(first)
  while (at !== '/' && !others.every((each) => contains(at, each))) at = path.dirname(at)
  return at
}

/** Returns the directories outside that a file of a package manager names. */
function namedIn(project: string, file: string): readonly WayOut[] {
  const pattern = patterns.get(path.basename(file))
  const text = pattern === undefined ? null : readRegularSync(path.join(project, file), mostBytes)
  if (pattern === undefined || text === null) return []
  const around = path.dirname(path.join(project, file))
  const named = [...text.matchAll(pattern)].map(([, each = '']) => path.resolve(around, each)).filter((each) => !contains(project, each))
  return [...new Set(named)].slice(0, mostDirectories).map((each) => ({ what: `${file} uses`, target: realOf(each) }))
}

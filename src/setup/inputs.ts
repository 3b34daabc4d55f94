import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import { kindBelow } from '../files/kind-below.ts'
import { openBelow } from '../files/open-below.ts'

/** A file that the command of a setup reads. Its path is relative to the tree. */
export interface SetupInput {
  readonly path: string
  readonly bytes: Buffer
  readonly isExecutable: boolean
}

/** Manifests, lock files and settings of package managers. */
const known = [
  ...['package.json', 'package-lock.json', 'npm-shrinkwrap.json', '.npmrc', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'yarn.lock'],
  ...['.yarnrc.yml', 'bun.lock', 'bun.lockb', 'bunfig.toml'],
  ...['pyproject.toml', 'poetry.lock', 'poetry.toml', 'uv.lock', 'requirements.txt', 'Pipfile', 'Pipfile.lock'],
  ...['Cargo.toml', 'Cargo.lock', 'go.mod', 'go.sum', 'mix.exs', 'mix.lock', 'Gemfile', 'Gemfile.lock', 'composer.json', 'composer.lock'],
]
const mostBytes = 64 * 1024 ** 2
const mostFiles = 2000
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Returns the files of a tree that the command of a setup reads, sorted by path. An agent may have written the tree, so no link is followed.
 * `files`: paths in which `*` stands for a part of one name; null: the known ones at the root. Paths that do not exist are left out.
 * @throws PaddockError BAD_INPUT for anything but a regular file, and for files that are too large
 */
export function setupInputs(tree: string, files: readonly string[] | null): readonly SetupInput[] {
  const paths = [...new Set((files ?? known).flatMap((each) => matching(tree, each)))].sort()
  if (paths.length > mostFiles) throw new PaddockError('BAD_INPUT', `setup.files names ${paths.length} files, more than ${mostFiles}.`)
  const inputs: SetupInput[] = []
  let room = mostBytes
  for (const each of paths) {
    const input = readInput(tree, each, room)
    if (input === null) continue
    room -= input.bytes.length
    inputs.push(input)
  }
  return inputs
}

/** Returns the paths in a tree that a pattern matches. */
function matching(tree: string, pattern: string): readonly string[] {
  let found = ['']
  for (const name of pattern.split('/')) {
    if (!name.includes('*')) found = found.map((each) => joined(each, name))
    else found = found.flatMap((each) => namesIn(tree, each, name).map((one) => joined(each, one)))
    if (found.length > mostFiles) break
  }
  return found
}

const joined = (above: string, name: string): string => (above === '' ? name : `${above}/${name}`)

function namesIn(tree: string, directory: string, pattern: string): readonly string[] {
  const descriptor = openedBelow(tree, directory)
  if (descriptor === null) return []
  try {
    return readdirSync(`/proc/self/fd/${descriptor}`).filter((each) => each.toLowerCase() !== '.git' && path.matchesGlob(each, pattern))
  } finally {
    closeSync(descriptor)
  }
}

function readInput(tree: string, file: string, room: number): SetupInput | null {
  const kind = kindBelow(tree, path.join(tree, file))
  if (kind === null) return null
  const parent = path.posix.dirname(file)
  const directory = kind === 'file' ? openedBelow(tree, parent === '.' ? '' : parent) : null
  if (directory === null) throw new PaddockError('BAD_INPUT', `setup: ${path.join(tree, file)} is not a regular file.`)
  let descriptor: number | null = null
  try {
    descriptor = openSync(`/proc/self/fd/${directory}/${path.posix.basename(file)}`, flags)
    const facts = fstatSync(descriptor)
    if (!facts.isFile()) throw new PaddockError('BAD_INPUT', `setup: ${path.join(tree, file)} is not a regular file.`)
    if (facts.size > room)
      throw new PaddockError('BAD_INPUT', `setup: the files of ${tree} that it reads are larger than ${mostBytes / 1024 ** 2} MiB.`, {
        hint: 'List fewer files in setup.files',
      })
    const buffer = Buffer.alloc(facts.size)
    const size = readSync(descriptor, buffer, 0, buffer.length, 0)
    return { path: file, bytes: buffer.subarray(0, size), isExecutable: (facts.mode & 0o100) !== 0 }
  } finally {
    if (descriptor !== null) closeSync(descriptor)
    closeSync(directory)
  }
}

function openedBelow(tree: string, directory: string): number | null {
  try {
    return openBelow(
      tree,
      directory
        .split('/')
        .filter((each) => each !== '')
        .map((each) => Buffer.from(each)),
    )
  } catch {
    return null
  }
}

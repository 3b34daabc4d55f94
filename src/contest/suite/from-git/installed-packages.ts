import { cp, lstat, readdir, readFile, readlink } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '../../../base/errors.ts'
import { contains } from '../../../cell/plan/filesystem.ts'
import { readRegular } from '../../../files/read-regular.ts'
import { isDirectory } from '../../config/contest-directories.ts'
import { manifestOf, type TestRunner } from './test-runners.ts'

const locks = {
  node_modules: ['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb'],
  '.venv': ['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock', 'requirements.txt'],
} as const
const mostLockBytes = 64 * 1024 ** 2
const mostBytes = 1024 ** 3
/** Directories that programs fill while they run. */
const caches = new Set(['.cache', '.vite', '.vite-temp', '.vitest', '__pycache__', '.pytest_cache'])

/** Whether the tests of a commit get the packages that are installed in the project now; `reason`: why the commit must be left out. */
export type PackagesWish = { readonly directory: keyof typeof locks | null } | { readonly reason: string }

/**
 * Decides whether the installed packages are those of a commit: only if its lock file, and that of its parent, is the present one, byte for
 * byte. `trees`: the files of both commits.
 */
export async function packagesFor(
  { packages }: Pick<TestRunner, 'packages'>,
  project: string,
  trees: { readonly before: string; readonly after: string },
): Promise<PackagesWish> {
  if (packages === null || !(await isDirectory(path.join(project, packages)))) return { directory: null }
  if (packages === 'node_modules' && !(await needsPackages(trees.after))) return { directory: null }
  let isLocked = false
  for (const name of locks[packages]) {
    const read = (directory: string): Promise<Buffer | null> => bytesOf(path.join(directory, name))
    const [now, before, after] = await Promise.all([read(project), read(trees.before), read(trees.after)])
    if (now === null && before === null && after === null) continue
    if (now === null || before?.equals(now) !== true || after?.equals(now) !== true)
      return { reason: `${name} differs from the present one, so the packages in ${packages} may be others` }
    isLocked = true
  }
  if (!isLocked) return { reason: `no lock file shows whether the packages in ${packages} are the right ones` }
  const own = packages === 'node_modules' ? await linkOut(path.join(project, packages)) : await editable(path.join(project, packages))
  return own === null ? { directory: packages } : { reason: `${packages} is not independent of the project: ${own}` }
}

/** Copies the packages of a project without caches. Returns why that failed, else null. */
export async function copyPackages(project: string, directory: string, to: string): Promise<string | null> {
  let bytes = 0
  try {
    await cp(path.join(project, directory), path.join(to, directory), {
      recursive: true,
      verbatimSymlinks: true,
      filter: async (file) => {
        if (caches.has(path.basename(file))) return false
        const facts = await lstat(file)
        bytes += facts.isFile() ? facts.size : 0
        if (bytes > mostBytes) throw new Error('they are larger than 1 GiB')
        return facts.isFile() || facts.isDirectory() || facts.isSymbolicLink()
      },
    })
    return null
  } catch (error) {
    return `the packages in ${directory} cannot be copied: ${messageOf(error)}`
  }
}

async function needsPackages(tree: string): Promise<boolean> {
  const manifest: Readonly<Record<string, unknown>> = { ...(await manifestOf(tree)) }
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].some((key) => {
    const value = manifest[key]
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0
  })
}

async function bytesOf(file: string): Promise<Buffer | null> {
  const read = await readRegular(file, mostLockBytes)
  return read.ok ? read.bytes : null
}

/** Returns a package that is a link to somewhere else, such as to a workspace of the project; null: there is none. */
async function linkOut(root: string, below = ''): Promise<string | null> {
  const directory = path.join(root, below)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isSymbolicLink() && !contains(root, path.resolve(directory, await readlink(path.join(directory, entry.name)))))
      return `${path.join(below, entry.name)} is a link`
    if (entry.isDirectory() && entry.name.startsWith('@') && below === '') {
      const found = await linkOut(root, entry.name)
      if (found !== null) return found
    }
  }
  return null
}

/** Returns a sign of an editable install; null: there is none. */
async function editable(root: string): Promise<string | null> {
  const above = path.join(root, 'lib')
  for (const version of await readdir(above).catch((): string[] => [])) {
    const site = path.join(above, version, 'site-packages')
    for (const name of await readdir(site).catch((): string[] => [])) {
      if (name.startsWith('__editable__') || name.endsWith('.egg-link')) return `${name} is an editable install`
      if (!name.endsWith('.pth')) continue
      const text = await readFile(path.join(site, name), 'utf8').catch(() => '')
      if (/^\//m.test(text)) return `${name} leads to a directory elsewhere`
    }
  }
  return null
}

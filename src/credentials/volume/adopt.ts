import { chmod, lstat, mkdir, mkdtemp, readdir, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../errors.ts'
import { writeAtomic } from '../../files/atomic.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { parseObject } from '../document.ts'
import { disposeLogin } from '../login.ts'
import type { LoginFiles } from './files.ts'
import { placeIn, type Volume } from './volume.ts'

const maxBytes = 1024 ** 2
const maxAccountBytes = 8 * 1024 ** 2
/** A pattern for homes of logins in progress, of staged logins, and of logins that are lent to a cell. */
const working = /^(?:login|new|cell)-/

/** Makes a home for one new login: empty, or with the logins that it is added to. The caller must hold the volume and remove the home. */
export async function workingHome(volume: Volume): Promise<string> {
  const work = await realpath(await mkdtemp(path.join(volume.directory, 'login-')))
  if (volume.files.adds === true) await copyLogin(volume, work)
  return work
}

/** Makes a home with only the login, for one cell that may write to it. The caller must hold the volume and pass the home to `takeBack`. */
export async function lendHome(volume: Volume): Promise<string> {
  const lent = await realpath(await mkdtemp(path.join(volume.directory, 'cell-')))
  await copyLogin(volume, lent)
  return lent
}

/** Moves the login in a lent home back into the volume if it is valid, and removes the home. Rejects like `adoptLogin`. */
export async function takeBack(volume: Volume, lent: string): Promise<void> {
  try {
    await adoptLogin(volume, lent)
  } finally {
    await removeTree(lent)
  }
}

/** Returns the homes that killed processes left in a volume, oldest first. */
export async function leftHomes({ directory }: Volume): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const homes = entries.filter((each) => each.isDirectory() && working.test(each.name)).map((each) => path.join(directory, each.name))
  const times = await Promise.all(homes.map(async (each) => ({ each, at: (await lstat(each).catch(() => null))?.mtimeMs ?? 0 })))
  return times.sort((a, b) => a.at - b.at).map(({ each }) => each)
}

/** Takes back logins that killed processes had lent, and removes unfinished ones. The caller must hold the volume. */
export async function recover(volume: Volume): Promise<void> {
  for (const each of await leftHomes(volume)) {
    // If the file is no longer a login, the previous one stays.
    if (path.basename(each).startsWith('cell-')) await takeBack(volume, await realpath(each)).catch(ignoreRefused)
    else await removeTree(each)
  }
}

function ignoreRefused(error: unknown): void {
  if (!(error instanceof PaddockError)) throw error
}

async function copyLogin({ home, files }: Volume, to: string): Promise<void> {
  const text = readBelow(await realpath(home), files.file, maxBytes)
  if (text !== null) await put(path.join(to, files.file), text)
}

/**
 * Moves the login that a CLI left in `work` into the volume. It is read without following any link that the cell may have put there,
 * checked by that agent's reader, and replaces the old one in one step. The caller must hold the volume, and the cell must have ended.
 * @throws PaddockError LOGIN_NEEDED for a file that is not a login, with the volume unchanged.
 */
export async function adoptLogin(volume: Volume, work: string): Promise<'taken' | 'unchanged' | 'none'> {
  const { files } = volume
  const text = readBelow(work, files.file, maxBytes)
  if (text === null || text.trim() === '') return 'none'
  if (text === readBelow(await realpath(volume.home), files.file, maxBytes)) return 'unchanged'
  const taken = [{ file: files.file, text }, ...accountIn(work, files)]
  const staged = await mkdtemp(path.join(volume.directory, 'new-'))
  try {
    for (const each of taken) await put(path.join(staged, each.file), each.text)
    if (!(await holdsLogin(volume, staged))) return 'none'
    for (const each of taken) {
      await mkdir(path.dirname(path.join(volume.home, each.file)), { recursive: true, mode: 0o700 })
      await writeAtomic(path.join(volume.home, each.file), each.text, { mode: 0o600 })
    }
    return 'taken'
  } finally {
    await removeTree(staged)
  }
}

async function holdsLogin({ agent, format, name }: Volume, home: string): Promise<boolean> {
  try {
    const logins = await format.read(placeIn(format, home))
    for (const each of logins) disposeLogin(each)
    return logins.length > 0
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error
    throw new PaddockError('LOGIN_NEEDED', `${agent} did not leave a complete login; the volume "${name}" is unchanged.`, {
      hint: `Run: paddock login ${agent}${name === 'default' ? '' : ` --volume ${name}`}`,
    })
  }
}

function accountIn(work: string, { account }: LoginFiles): readonly { readonly file: string; readonly text: string }[] {
  const found = account === undefined ? null : parseObject(readBelow(work, account.path, maxAccountBytes) ?? '')
  if (account === undefined || found === null) return []
  const kept = Object.fromEntries(account.keys.flatMap((key) => (Object.hasOwn(found, key) ? [[key, found[key]]] : [])))
  return Object.keys(kept).length === 0 ? [] : [{ file: account.path, text: JSON.stringify(kept) }]
}

/** Reads a file below a directory that a cell controlled. Null if the file does not exist, or if its path contains a link. */
function readBelow(root: string, file: string, max: number): string | null {
  try {
    return inDirectory(path.join(root, file), (safe) => readRegularSync(safe, max))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

async function put(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, text, { mode: 0o600, flag: 'wx' })
  await chmod(file, 0o600)
}

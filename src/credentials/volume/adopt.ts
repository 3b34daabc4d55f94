import { chmod, lstat, mkdir, mkdtemp, readdir, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { codeOf, PaddockError } from '../../base/errors.ts'
import { writeAtomic } from '../../files/atomic.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { disposeLogin } from '../agent-login.ts'
import { parseObject } from '../login-document.ts'
import { tokensOf } from '../token-hash.ts'
import { placeIn, type Volume } from './volume.ts'
import type { LoginFiles } from './volume-files.ts'

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

/** Makes a home with only the login, for one cell that may write to it. The caller must hold the volume and remove the home. */
export async function lendHome(volume: Volume): Promise<string> {
  const lent = await realpath(await mkdtemp(path.join(volume.directory, 'cell-')))
  await copyLogin(volume, lent)
  return lent
}

/** Returns the homes that killed processes left in a volume, oldest first. */
export async function leftHomes({ directory }: Volume): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const homes = entries.filter((each) => each.isDirectory() && working.test(each.name)).map((each) => path.join(directory, each.name))
  const times = await Promise.all(homes.map(async (each) => ({ each, at: (await lstat(each).catch(() => null))?.mtimeMs ?? 0 })))
  return times.sort((a, b) => a.at - b.at).map(({ each }) => each)
}

/** Removes what killed logins and cells left in a volume. The caller must hold the volume. */
export async function recover(volume: Volume): Promise<void> {
  for (const each of await leftHomes(volume)) await removeTree(each)
}

async function copyLogin({ home, files }: Volume, to: string): Promise<void> {
  const text = readBelow(await realpath(home), files.file, maxBytes)
  if (text !== null) await put(path.join(to, files.file), text)
}

/**
 * Moves the login that a CLI left in `work` into the volume, in place of any older one. Only for a login that the user asked for: it may be
 * of another account. The caller must hold the volume, and the cell must have ended.
 * @throws PaddockError LOGIN_NEEDED for a file that is not a login, with the volume unchanged.
 */
export async function adoptLogin(volume: Volume, work: string): Promise<'taken' | 'unchanged' | 'none'> {
  const { files } = volume
  const left = await readLeft(volume, work)
  if (left === null) return 'none'
  if (left.taken[0]?.text === readBelow(await realpath(volume.home), files.file, maxBytes)) return 'unchanged'
  for (const each of left.taken) {
    await mkdir(path.dirname(path.join(volume.home, each.file)), { recursive: true, mode: 0o700 })
    await writeAtomic(path.join(volume.home, each.file), each.text, { mode: 0o600 })
  }
  return 'taken'
}

/** A login that a CLI left in a home. */
export interface LeftLogin {
  readonly taken: readonly { readonly file: string; readonly text: string }[]
  /** The hashes of its tokens. */
  readonly tokens: readonly string[]
}

/**
 * Reads the login that a CLI left in a home. No link that the cell may have put there is followed, and that agent's reader checks the file.
 * Null if there is no login.
 * @throws PaddockError LOGIN_NEEDED for a file that is not a login.
 */
export async function readLeft(volume: Volume, work: string): Promise<LeftLogin | null> {
  const { files, agent, format, name } = volume
  const text = readBelow(work, files.file, maxBytes)
  if (text === null || text.trim() === '') return null
  const taken = [{ file: files.file, text }, ...accountIn(work, files)]
  const staged = await mkdtemp(path.join(volume.directory, 'new-'))
  try {
    for (const each of taken) await put(path.join(staged, each.file), each.text)
    const logins = await format.read(placeIn(format, staged))
    const tokens = logins.flatMap(tokensOf)
    for (const each of logins) disposeLogin(each)
    return logins.length === 0 ? null : { taken, tokens }
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error
    throw new PaddockError('LOGIN_NEEDED', `${agent} did not leave a complete login; the volume "${name}" is unchanged.`, {
      hint: `Run: paddock login ${agent}${name === 'default' ? '' : ` --volume ${name}`}`,
    })
  } finally {
    await removeTree(staged)
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
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(codeOf(error) ?? '')) return null
    throw error
  }
}

async function put(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, text, { mode: 0o600, flag: 'wx' })
  await chmod(file, 0o600)
}

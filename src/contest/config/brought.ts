import { hash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { messageOf, PaddockError } from '../../base/errors.ts'
import type { KeyPath } from '../../config/key-path.ts'
import { isSafeName, safeNameRule } from '../../files/safe-name.ts'
import { NotHashed, treeHash } from '../../files/tree-hash.ts'
import { isDirectory } from './contest-directories.ts'
import type { RoleConfig } from './contest-schema.ts'
import { readText } from './read-text.ts'

/** What a participant brings to its task, as it is in the directory of its contest. */
export interface Brought {
  readonly skills: readonly { readonly name: string; readonly sha256: string }[]
  /** The SHA-256 of the file with its instructions; null: no instructions. */
  readonly instructions: string | null
  /** The text that is added to its prompt; null: no text. */
  readonly prompt: string | null
  /** The SHA-256 of `files`, if an MCP server or a hook in its settings can run a program there; null: no such files. */
  readonly files: string | null
}

/** What the participants of a contest bring, by name. Participants that bring nothing are absent. */
export type AllBrought = Readonly<Record<string, Brought>>

const bounds = { maxEntries: 5_000, maxBytes: 256 * 1024 ** 2 }

/**
 * Reads what participants bring from the directory of their contest or suite. Calls `refuse`, with the index of a participant and a key of
 * it, for a path that is missing, is of another kind, leads out of the directory, or is too large.
 */
export async function readBrought(
  root: string,
  participants: readonly RoleConfig[],
  refuse: (index: number, key: KeyPath, message: string) => never,
): Promise<AllBrought> {
  const hashes = new Map<string, string>()
  const all: [string, Brought][] = []
  for (const [index, role] of participants.entries()) {
    const { skills = [], instructions, prompt } = role
    const runsFiles = role.files !== undefined && (role.mcp !== undefined || role.config !== undefined)
    if (skills.length === 0 && instructions === undefined && prompt === undefined && !runsFiles) continue
    const text = async (key: 'instructions' | 'prompt', file: string): Promise<string> => {
      const read = await readText(root, path.join(root, file), `names no file: ${file}`, '').catch((error: unknown) => {
        if (!(error instanceof PaddockError)) throw error
        return refuse(index, [key], error.code === 'NOT_FOUND' ? messageOf(error) : `cannot be used: ${messageOf(error)}`)
      })
      return read.trim() === '' ? refuse(index, [key], `names an empty file: ${file}`) : read
    }
    const found: { name: string; sha256: string }[] = []
    for (const [at, directory] of skills.entries()) {
      const key = ['skills', at]
      const name = path.basename(path.normalize(directory))
      if (found.some((each) => each.name === name)) refuse(index, key, `is the second skill of the name ${name}`)
      found.push({ name, sha256: await skillHash(root, directory, hashes, (message) => refuse(index, key, message)) })
    }
    all.push([
      role.name,
      {
        skills: found,
        instructions: instructions === undefined ? null : hash('sha256', await text('instructions', instructions)),
        prompt: prompt === undefined ? null : await text('prompt', prompt),
        files: runsFiles ? await directoryHash(root, role.files ?? '', hashes, (message) => refuse(index, ['files'], message)) : null,
      },
    ])
  }
  return Object.fromEntries(all)
}

async function skillHash(root: string, directory: string, known: Map<string, string>, refuse: (message: string) => never): Promise<string> {
  const name = path.basename(path.normalize(directory))
  if (!isSafeName(name)) refuse(`names a directory that cannot be the name of a skill: ${name}; use ${safeNameRule}`)
  const sha256 = await directoryHash(root, directory, known, refuse)
  const skill = await readText(root, path.join(root, directory, 'SKILL.md'), null, '')
  return skill === '' ? refuse(`names a directory without a SKILL.md: ${directory}`) : sha256
}

/** Returns the hash of a directory, from `known` if it was read before. */
async function directoryHash(
  root: string,
  directory: string,
  known: Map<string, string>,
  refuse: (message: string) => never,
): Promise<string> {
  const earlier = known.get(directory)
  if (earlier !== undefined) return earlier
  const at = path.join(root, directory)
  if (!(await isDirectory(at))) refuse(`names no directory: ${directory}`)
  const [real, realRoot] = [await realpath(at), await realpath(root)]
  if (!real.startsWith(realRoot + path.sep)) refuse(`leads out of its directory: ${directory}`)
  const sha256 = await treeHash(real, bounds).catch((error: unknown) => {
    if (error instanceof NotHashed) return refuse(`names a directory that ${error.message}: ${directory}`)
    throw error
  })
  known.set(directory, sha256)
  return sha256
}

/** Returns a SHA-256 over what a participant brings, or over what all of them bring. */
export function broughtHash(brought: AllBrought | Brought): string {
  return hash('sha256', JSON.stringify(brought))
}

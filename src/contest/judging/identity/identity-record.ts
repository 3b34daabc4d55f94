import { readFile, utimes, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { utf8Text } from '../../../base/text.ts'
import { writeJson } from '../../../files/atomic.ts'
import { storedOrNull } from '../../../files/stored-json.ts'
import type { SealedFile } from '../../seal/seal-schema.ts'
import { noTime } from '../../seal/unseal.ts'
import { redacted, redactedPath, type Telltale, telltales } from './find-identity.ts'

const maxFileBytes = 1024 * 1024
const mostOfFile = 20
const mostOfAll = 100

const toldSchema = z.strictObject({
  /** The first matches, at most 100. */
  found: z.array(z.strictObject({ path: z.string(), line: z.int().nullable(), what: z.string() })),
  /** The number of further matches. */
  more: z.int(),
})
export type Told = z.output<typeof toldSchema>

/** The schema of judging/<n>/identity.json. */
const identityRecordSchema = z.strictObject({
  schemaVersion: z.literal(1),
  identity: z.enum(['flag', 'redact', 'ignore']),
  /** The matches in each participant's submission. */
  submissions: z.record(z.string(), toldSchema),
})
export type IdentityRecord = z.output<typeof identityRecordSchema>

export async function writeIdentity(file: string, record: IdentityRecord): Promise<void> {
  await writeJson(file, record, { mode: 0o600 })
}

/** Returns the record of a judging; null if there is none or it is not usable. */
export async function readIdentity(file: string): Promise<IdentityRecord | null> {
  return storedOrNull(file, await readFile(file, 'utf8').catch(() => null), identityRecordSchema)
}

/**
 * Returns new paths for the files whose paths reveal the author, except `kept` ones. All paths are unique, and none is a directory of
 * another.
 */
export function redactedPaths(
  files: readonly string[],
  words: RegExp | null,
  kept: (file: string) => boolean = () => false,
): ReadonlyMap<string, string> {
  const all = files.map((file) => ({ file, wanted: kept(file) ? file : redactedPath(file, words) }))
  const taken = new Set(all.filter(({ file, wanted }) => file === wanted).map(({ file }) => file))
  const directories = new Set(all.flatMap(({ wanted }) => directoriesOf(wanted)))
  const paths = new Map<string, string>()
  const numbers = new Map<string, number>()
  for (const { file, wanted } of all) {
    if (file === wanted) continue
    const first = directoriesOf(wanted).some((each) => taken.has(each)) ? 'redacted' : wanted
    let path = first
    for (let number = numbers.get(first) ?? 2; taken.has(path) || directories.has(path); number += 1) {
      path = `${first}-${number}`
      numbers.set(first, number + 1)
    }
    taken.add(path)
    paths.set(file, path)
  }
  return paths
}

/** Returns the paths of all directories above the file with this path. */
function directoriesOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

/**
 * Finds text that reveals the author of a submission, in file names and in text files of up to 1 MiB. If `isRedacted`, it is also removed
 * from the files. `placeOf` returns the path that a sealed file was unpacked to.
 */
export async function lookForIdentity(
  files: readonly SealedFile[],
  placeOf: (file: string) => string,
  { words, isRedacted }: { readonly words: RegExp | null; readonly isRedacted: boolean },
): Promise<Told> {
  const found: Telltale[] = []
  let count = 0
  for (const { path, size } of files) {
    const text = size <= maxFileBytes ? utf8Text(await readFile(placeOf(path))) : null
    const isText = text !== null && !text.includes('\0')
    const told = telltales(path, isText ? text : null, words)
    count += told.length
    found.push(...told.slice(0, Math.min(mostOfFile, Math.max(0, mostOfAll - found.length))))
    if (!isRedacted || !isText) continue
    const without = redacted(text, words)
    if (without === text) continue
    await writeFile(placeOf(path), without)
    await utimes(placeOf(path), noTime, noTime)
  }
  return { found, more: count - found.length }
}

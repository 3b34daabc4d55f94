import { readFile } from 'node:fs/promises'
import { formatSize } from '../../base/quantities.ts'
import { utf8Text } from '../../base/text.ts'
import { mostTextBytes, type PatchSide, patchOf, quoted } from '../../copy/reviewing/patch.ts'
import type { Side, SideFile } from '../diff/side.ts'
import { leftOutOf } from '../seal/left-out.ts'
import type { Seal } from '../seal/seal-schema.ts'

/** The maximum size of the patch that a judge gets. */
const mostBytes = 8 * 1024 * 1024

export interface LaidFiles {
  /** Returns the path that a sealed file was unpacked to. */
  readonly placeOf: (file: string) => string
  /** Returns the name under which judges see a sealed file. */
  readonly nameOf: (file: string) => string
  /** Removes everything that reveals the author from a text. */
  readonly redact: (text: string) => string
}

/** Returns the paths of a submission that differ from the files that all participants started with. */
export function changedIn(begun: Side, seal: Seal): ReadonlySet<string> {
  const isLeftOut = leftOutOf(seal)
  const sealed = new Map(seal.files.map((each) => [each.path, { ...each, executable: each.mode === '0755' }]))
  const all = new Set([...begun.files.keys(), ...sealed.keys()])
  return new Set([...all].filter((each) => !isSame(begun.files.get(each), sealed.get(each)) && (sealed.has(each) || !isLeftOut(each))))
}

function isSame(a: SideFile | undefined, b: SideFile | undefined): boolean {
  return a?.sha256 === b?.sha256 && a?.executable === b?.executable
}

/**
 * Returns the changes of a laid-out submission, compared with the files that all participants started with, as a patch for readers. It is
 * made from the files that judges see, so it does not contain names that were removed from them.
 */
export async function changesDiff(begun: Side, seal: Seal, laid: LaidFiles): Promise<string> {
  const sealed = new Map(seal.files.map((each) => [each.path, each]))
  const parts: string[] = []
  let size = 0
  let left = 0
  for (const file of [...changedIn(begun, seal)].toSorted()) {
    if (size > mostBytes) {
      left += 1
      continue
    }
    const [before, after] = [begun.files.get(file), sealed.get(file)]
    const part = await partOf(begun, laid, file, before, after)
    size += part.length
    parts.push(part)
  }
  if (left > 0) parts.push(`${left} more files differ\n`)
  return parts.join('')
}

async function partOf(
  begun: Side,
  { placeOf, nameOf, redact }: LaidFiles,
  file: string,
  before: SideFile | undefined,
  after: Seal['files'][number] | undefined,
): Promise<string> {
  const name = nameOf(file)
  const sizes = [before?.size, after?.size]
  if (sizes.some((each) => each !== undefined && each > mostTextBytes)) {
    const shown = sizes.map((each) => (each === undefined ? 'missing' : formatSize(each)))
    return `diff --git ${quoted(`a/${name}`)} ${quoted(`b/${name}`)}\nToo large to be shown: ${shown.join(' → ')}\n`
  }
  const old: PatchSide | null =
    before === undefined
      ? null
      : { mode: before.executable ? '100755' : '100644', bytes: shownBytes((await begun.read(file)) ?? Buffer.alloc(0), redact) }
  const now: PatchSide | null =
    after === undefined ? null : { mode: after.mode === '0755' ? '100755' : '100644', bytes: await readFile(placeOf(file)) }
  return patchOf({ path: name, old, now }, 'named')
}

function shownBytes(bytes: Buffer, redact: (text: string) => string): Buffer {
  const text = utf8Text(bytes)
  return text === null || text.includes('\0') ? bytes : Buffer.from(redact(text))
}

import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { readContents } from './read-contents.ts'
import type { Seal, SealedFile } from './seal-schema.ts'
import type { WhyNot, WorkContent, WorkIndex } from './work-index.ts'

const compressed = promisify(deflateRaw)

/** The size above which a file is not shown. */
const maxFileBytes = 1024 * 1024
/** The maximum length of all contents together, in base64 characters. */
const maxDataLength = 15 * 1024 * 1024
/** Picture types that a page can show without running or fetching anything. SVG is shown as text. */
const pictures: readonly (readonly [RegExp, string])[] = [
  [/\.png$/i, 'image/png'],
  [/\.jpe?g$/i, 'image/jpeg'],
  [/\.gif$/i, 'image/gif'],
  [/\.webp$/i, 'image/webp'],
]

/**
 * The submissions embedded in a report, deflated (RFC 1951) and in base64. Each content is separate, so that a page inflates only the files
 * that are opened.
 */
export interface PackedWork {
  readonly index: string
  readonly data: string
}

/** Work whose files are shown. */
export interface ShownWork {
  readonly name: string
  readonly files: readonly ShownFile[]
  /** Yields the bytes of the wanted files, or null for bytes that have changed. Throws if nothing can be read. */
  contents(isWanted: (file: ShownFile) => boolean): AsyncIterable<{ readonly file: ShownFile; readonly bytes: Buffer | null }>
}
type ShownFile = Pick<SealedFile, 'path' | 'size' | 'sha256'>

/** A sealed submission whose files are shown. */
export interface SealedWork {
  readonly name: string
  readonly archive: string
  readonly seal: Seal
}

interface Content {
  readonly bytes: Buffer
  readonly picture: string | null
}

/** Packs the sealed submissions of a report. */
export async function packWork(submissions: readonly SealedWork[], most = maxDataLength): Promise<PackedWork> {
  const shown = submissions.map(
    ({ name, archive, seal: { files } }): ShownWork => ({
      name,
      files,
      contents: (isWanted) => readContents(archive, files, isWanted),
    }),
  )
  return await packShown(shown, most)
}

/**
 * Packs work for a page. Equal files are packed once. If there is not enough room, the smallest files are packed, so that as many files as
 * possible are shown. The index lists the others with the reason. For a submission whose archive cannot be read, only file names are shown.
 */
export async function packShown(works: readonly ShownWork[], most = maxDataLength): Promise<PackedWork> {
  const contents = new Kept(most)
  const missing = new Map<string, WhyNot>()
  for (const work of works) {
    const wanted = (file: ShownFile): boolean => file.size <= maxFileBytes && !contents.has(file.sha256) && !missing.has(file.sha256)
    try {
      for await (const { file, bytes } of work.contents(wanted)) {
        const content = bytes === null ? 'changed' : await contentOf(file.path, bytes)
        if (typeof content === 'string') missing.set(file.sha256, content)
        else contents.add(file.sha256, content)
      }
    } catch {
      // The archive was removed, or an earlier version sealed it. The seal still contains the names.
    }
  }
  const { places, list, data } = contents.laidOut()
  const index: WorkIndex = {
    submissions: works.map(({ name, files }) => ({
      name,
      files: files.map(({ path, size, sha256 }) => ({
        path,
        size,
        hash: sha256.slice(0, 16),
        content:
          places.get(sha256) ?? missing.get(sha256) ?? (size > maxFileBytes ? 'large' : contents.has(sha256) ? 'no-room' : 'changed'),
      })),
    })),
    contents: list,
  }
  return { index: (await compressed(JSON.stringify(index))).toString('base64'), data }
}

async function contentOf(path: string, bytes: Buffer): Promise<Content | WhyNot> {
  const picture = pictures.find(([ending]) => ending.test(path))?.[1] ?? null
  if (picture === null && (bytes.includes(0) || !isUtf8(bytes))) return 'binary'
  return { bytes: await compressed(bytes), picture }
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Contents by hash. It keeps the smallest ones that fit within a limit, and drops early those that can no longer fit. */
class Kept {
  readonly #most: number
  readonly #all = new Map<string, Content | null>()
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  has(sha256: string): boolean {
    return this.#all.has(sha256)
  }

  add(sha256: string, content: Content): void {
    this.#all.set(sha256, content)
    this.#length += lengthOf(content)
    if (this.#length > 2 * this.#most) this.#letGo()
  }

  laidOut(): { readonly places: ReadonlyMap<string, number>; readonly list: readonly WorkContent[]; readonly data: string } {
    this.#letGo()
    const places = new Map<string, number>()
    const list: WorkContent[] = []
    const parts: string[] = []
    let at = 0
    for (const [sha256, content] of this.#all) {
      if (content === null) continue
      const part = content.bytes.toString('base64')
      places.set(sha256, list.length)
      list.push({ at, length: part.length, picture: content.picture })
      parts.push(part)
      at += part.length
    }
    return { places, list, data: parts.join('') }
  }

  #letGo(): void {
    const bySize = [...this.#all].flatMap(([sha256, content]) => (content === null ? [] : [{ sha256, length: lengthOf(content) }]))
    this.#length = 0
    for (const { sha256, length } of bySize.toSorted((a, b) => a.length - b.length)) {
      if (this.#length + length > this.#most) this.#all.set(sha256, null)
      else this.#length += length
    }
  }
}

/** Returns the length of a content in base64 characters, rounded up to whole groups of four. */
function lengthOf({ bytes }: Content): number {
  return 4 * Math.ceil(bytes.length / 3)
}

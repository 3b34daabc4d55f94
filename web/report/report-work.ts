import type { WhyNot, WorkContent, WorkIndex } from '../../src/contest/seal/work-index.ts'

export type { WorkFile } from '../../src/contest/seal/work-index.ts'

/** The submissions in this page. */
export class Work {
  readonly submissions: WorkIndex['submissions']
  readonly #contents: readonly WorkContent[]
  readonly #data: string

  private constructor({ submissions, contents }: WorkIndex, data: string) {
    this.submissions = submissions
    this.#contents = contents
    this.#data = data
  }

  /** Reads the submissions in this page; null if there are none. */
  static async read(): Promise<Work | null> {
    const [index, data] = ['work-index', 'work-data'].map((id) => document.getElementById(id)?.textContent?.trim())
    if (index === undefined || data === undefined) return null
    return await Work.of({ index, data })
  }

  /** Unpacks submissions from another source, which are packed in the same way as in a page. */
  static async of({ index, data }: { readonly index: string; readonly data: string }): Promise<Work> {
    return new Work(JSON.parse(await textOf(await inflated(index))) as WorkIndex, data)
  }

  /** Returns one content: its text, or the URL of a picture. */
  async content(index: number): Promise<{ readonly text: string } | { readonly picture: string }> {
    const { at, length, picture } = this.#contents[index] ?? { at: 0, length: 0, picture: null }
    const bytes = await inflated(this.#data.slice(at, at + length))
    return picture === null ? { text: await textOf(bytes) } : { picture: `data:${picture};base64,${base64(bytes)}` }
  }
}

export const whyNot: Readonly<Record<WhyNot, string>> = {
  binary: 'The file is neither text nor a picture.',
  large: 'The file is over 1 MiB, so it is only in the archive.',
  'no-room': 'This page is too large for the file, which is only in the archive.',
  changed: 'The file could not be read from the seal.',
}

async function inflated(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

async function textOf(bytes: Uint8Array): Promise<string> {
  return new TextDecoder().decode(bytes)
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

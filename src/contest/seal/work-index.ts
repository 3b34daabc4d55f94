/**
 * The index that the script of a report reads: the files of each submission, and the positions of their contents. The script imports it as
 * a type.
 */
export interface WorkIndex {
  readonly submissions: readonly {
    readonly name: string
    readonly files: readonly WorkFile[]
  }[]
  /** Equal files share one content. */
  readonly contents: readonly WorkContent[]
}

export interface WorkFile {
  readonly path: string
  /** The size in bytes. */
  readonly size: number
  /** The first 16 digits of the file's SHA-256, enough to distinguish the files of one contest. */
  readonly hash: string
  /** An index into `contents`, or the reason why the content is missing. */
  readonly content: number | WhyNot
}

/**
 * `binary`: neither text nor a supported picture. `large`: over 1 MiB. `no-room`: it would make the page too large. `changed`: the bytes
 * differ from the seal.
 */
export type WhyNot = 'binary' | 'large' | 'no-room' | 'changed'

export interface WorkContent {
  /** The start and the length of the content in the data, in base64 characters. */
  readonly at: number
  readonly length: number
  /** The media type of a picture. Null for UTF-8 text. */
  readonly picture: string | null
}

/**
 * The index that the script of a report reads: the files of each submission, and where their contents are. The script imports it as a type.
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
  /** Bytes. */
  readonly size: number
  /** The first 16 digits of its SHA-256, enough to distinguish the files of one contest. */
  readonly hash: string
  /** An index into `contents`, or the reason why it is missing. */
  readonly content: number | WhyNot
}

/**
 * `binary`: neither text nor a supported picture. `large`: over 1 MiB. `no-room`: it would make the page too large. `changed`: differs from
 * the seal.
 */
export type WhyNot = 'binary' | 'large' | 'no-room' | 'changed'

export interface WorkContent {
  /** Where it starts in the data and how long it is, in characters of base64. */
  readonly at: number
  readonly length: number
  /** The media type of a picture; null: text in UTF-8. */
  readonly picture: string | null
}

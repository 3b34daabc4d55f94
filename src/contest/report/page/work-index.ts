/** What the script of a report reads: which files each submission has, and where their contents are. The script imports it as a type. */
export interface WorkIndex {
  readonly submissions: readonly {
    readonly name: string
    readonly files: readonly WorkFile[]
  }[]
  /** Equal files have one content. */
  readonly contents: readonly WorkContent[]
}

export interface WorkFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Its SHA-256, of which the first 16 digits tell files of one contest apart. */
  readonly hash: string
  /** An index into `contents`, or why it is not there. */
  readonly content: number | WhyNot
}

/** `binary`: neither text nor a picture that is shown. `large`: over 1 MiB. `no-room`: it would make the page too large. `changed`: not what was sealed. */
export type WhyNot = 'binary' | 'large' | 'no-room' | 'changed'

export interface WorkContent {
  /** Where it begins in the data, in characters of base64, and how many of them there are. */
  readonly at: number
  readonly length: number
  /** The media type of a picture; null: text in UTF-8. */
  readonly picture: string | null
}

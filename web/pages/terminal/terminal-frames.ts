/** The messages from the server about a terminal; docs/guide/terminals.md describes the protocol. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface Company {
  /** The name of the typing viewer's credential, or null if nobody types. */
  readonly typist: string | null
  readonly isYou: boolean
  /** Whether this viewer may type; absent if the host process is of an earlier version. */
  readonly mayType?: boolean
  readonly viewers: number
}

export type FromServer =
  | ({ readonly type: 'screen' } & Size & Company)
  | { readonly type: 'live' }
  | ({ readonly type: 'size' } & Size)
  | ({ readonly type: 'company' } & Company)
  | { readonly type: 'ended'; readonly why: string }
  | { readonly type: 'slow' }

export type ToServer =
  | ({ readonly type: 'size' } & Size)
  | { readonly type: 'take' }
  | { readonly type: 'release' }
  | { readonly type: 'taken'; readonly bytes: number }

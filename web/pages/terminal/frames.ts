/** What the server reports about a terminal; docs/guide/terminals.md has the protocol. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface Company {
  /** Who types: the name of a credential; null: nobody. */
  readonly typist: string | null
  readonly isYou: boolean
  /** A host process of an earlier version does not report it. */
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

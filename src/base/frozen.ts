/** A type with read-only properties and arrays at every depth. */
export type Frozen<T> = { readonly [Key in keyof T]: Frozen<T[Key]> }

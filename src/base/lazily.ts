/** Returns a function that makes a value on its first call and returns the same value from then on. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly it: T } | null = null
  return () => {
    made ??= { it: make() }
    return made.it
  }
}

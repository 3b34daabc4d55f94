const wanted = 'paddock.find'

/** Opens the palette from a page. */
export const find = (): boolean => dispatchEvent(new Event(wanted))

/** Calls the listener when a page wants the palette. Returns a function that removes the listener. */
export function onFind(listener: () => void): () => void {
  addEventListener(wanted, listener)
  return () => removeEventListener(wanted, listener)
}

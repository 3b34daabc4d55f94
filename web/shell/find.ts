const wanted = 'paddock.find'

/** Opens the palette from a page. */
export const find = (): boolean => dispatchEvent(new Event(wanted))

/** Calls the listener when a page wants the palette. Returns what ends that. */
export function onFind(listener: () => void): () => void {
  addEventListener(wanted, listener)
  return () => removeEventListener(wanted, listener)
}

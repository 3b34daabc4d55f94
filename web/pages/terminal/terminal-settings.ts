/** Terminal settings that are stored in the browser. */
const fontKey = 'paddock.terminal.font'
export const readerKey = 'paddock.screen-reader'
const [least, most] = [8, 28]

export function fontSize(): number {
  const kept = Number(localStorage.getItem(fontKey))
  return kept >= least && kept <= most ? kept : matchMedia('(max-width: 45rem)').matches ? 12 : 13
}

/** Changes the font size and returns the new one. */
export function changeFontSize(by: number): number {
  const size = Math.max(least, Math.min(most, fontSize() + by))
  localStorage.setItem(fontKey, String(size))
  return size
}

export const isForScreenReader = (): boolean => localStorage.getItem(readerKey) === 'true'

export function setForScreenReader(value: boolean): void {
  if (value) localStorage.setItem(readerKey, 'true')
  else localStorage.removeItem(readerKey)
}

/** Calls the listener when the screen reader setting was changed elsewhere. Returns a function that removes the listener. */
export function onForScreenReader(listener: (value: boolean) => void): () => void {
  const changed = (event: StorageEvent): void => {
    if (event.key === readerKey) listener(isForScreenReader())
  }
  addEventListener('storage', changed)
  return () => removeEventListener('storage', changed)
}

/** What a browser keeps of how its user wants terminals. */
const fontKey = 'paddock.terminal.font'
export const readerKey = 'paddock.screen-reader'
const [least, most] = [8, 28]

export function fontSize(): number {
  const kept = Number(localStorage.getItem(fontKey))
  return kept >= least && kept <= most ? kept : matchMedia('(max-width: 45rem)').matches ? 12 : 13
}

/** Returns the size that is used from now on. */
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

/** Calls back when another tab, or the settings in it, changed whether a screen reader is used. Returns what ends that. */
export function onForScreenReader(listener: (value: boolean) => void): () => void {
  const changed = (event: StorageEvent): void => {
    if (event.key === readerKey) listener(isForScreenReader())
  }
  addEventListener('storage', changed)
  return () => removeEventListener('storage', changed)
}

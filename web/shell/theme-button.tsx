/** Switches between light and dark, regardless of the system's theme. */
export function ThemeButton() {
  const turn = (): void => {
    const root = document.documentElement
    const isDark =
      root.dataset['theme'] === undefined ? matchMedia('(prefers-color-scheme:dark)').matches : root.dataset['theme'] === 'dark'
    root.dataset['theme'] = isDark ? 'light' : 'dark'
    localStorage.setItem('theme', root.dataset['theme'])
  }
  return (
    <button className="btn plain sq end" type="button" aria-label="Switch between light and dark" onClick={turn}>
      <i className="i i-theme" />
    </button>
  )
}

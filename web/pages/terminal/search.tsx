import type { Direction } from './terminal-screen.ts'

/** Finds text on the screen of a terminal and in the lines above it. */
export function SearchBar({
  found,
  onSearch,
  onClose,
}: {
  /** The position and number of matches; null before the first search. */
  readonly found: { readonly place: number; readonly count: number } | null
  readonly onSearch: (text: string, direction: Direction) => void
  readonly onClose: () => void
}) {
  const result = found === null ? '' : found.count === 0 ? 'Not found' : `${found.place} of ${found.count}`
  return (
    <search className="row finds">
      <form
        className="row grow"
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(String(new FormData(event.currentTarget).get('text')), 'next')
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          if (event.key !== 'Enter' || !event.shiftKey) return
          event.preventDefault()
          onSearch(String(new FormData(event.currentTarget).get('text')), 'previous')
        }}
      >
        <label className="sr" htmlFor="terminal-search">
          Search in this terminal
        </label>
        <input
          id="terminal-search"
          name="text"
          type="search"
          autoComplete="off"
          autoFocus
          placeholder="Search"
          onChange={(event) => onSearch(event.currentTarget.value, 'incremental')}
        />
        <span className="soft" role="status">
          {result}
        </span>
        <button className="btn" type="submit">
          Next <kbd>⏎</kbd>
        </button>
        <button
          className="btn"
          type="button"
          onClick={(event) => onSearch(String(new FormData(event.currentTarget.form ?? undefined).get('text')), 'previous')}
        >
          Previous <kbd>⇧ ⏎</kbd>
        </button>
      </form>
      <button className="btn plain" type="button" onClick={onClose}>
        Close
      </button>
    </search>
  )
}

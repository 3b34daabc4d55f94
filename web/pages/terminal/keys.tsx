import type { PointerEvent } from 'react'

const esc = '\u001b'
/** Keys that a phone's keyboard does not have: label, name, and the text that each key types. */
const keys = [
  ['Esc', 'Esc', esc],
  ['Tab', 'Tab', '\t'],
] as const
const arrows = [
  ['↑', 'Up', 'A'],
  ['↓', 'Down', 'B'],
  ['←', 'Left', 'D'],
  ['→', 'Right', 'C'],
] as const
const signs = [
  ['|', 'Vertical bar', '|'],
  ['/', 'Slash', '/'],
  ['~', 'Tilde', '~'],
  ['^C', '^C, interrupt', '\u0003'],
] as const

/** Keeps the focus in the terminal. Otherwise the keyboard of a phone would close. */
const keepFocus = (event: PointerEvent): void => event.preventDefault()

/** A row of keys for a phone. `onPress` gets the text of a key. */
export function KeysBar({
  onPress,
  isApplication,
  hasControl,
  onControl,
}: {
  readonly onPress: (keys: string) => void
  /** Returns whether the program wants arrow keys in application mode (DECCKM). */
  readonly isApplication: () => boolean
  readonly hasControl: boolean
  readonly onControl: () => void
}) {
  const key = ([label, name, text]: readonly [string, string, string]) => (
    <button key={name} className="btn" type="button" aria-label={name} onPointerDown={keepFocus} onClick={() => onPress(text)}>
      {label}
    </button>
  )
  return (
    <div className="keysbar" role="toolbar" aria-label="Keys">
      {keys.map(key)}
      <button
        className="btn"
        type="button"
        aria-label="Ctrl, with the next key"
        aria-pressed={hasControl}
        onPointerDown={keepFocus}
        onClick={onControl}
      >
        Ctrl
      </button>
      {arrows.map(([label, name, final]) => (
        <button
          key={name}
          className="btn"
          type="button"
          aria-label={name}
          onPointerDown={keepFocus}
          onClick={() => onPress(`${esc}${isApplication() ? 'O' : '['}${final}`)}
        >
          {label}
        </button>
      ))}
      {signs.map(key)}
    </div>
  )
}

/** Returns the text that a key types while Control is held (ECMA-48 C0); null if Control has no effect on the key. */
export function controlled(text: string): string | null {
  const code = text.toUpperCase().charCodeAt(0)
  return text.length === 1 && code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : text === ' ' ? '\0' : null
}

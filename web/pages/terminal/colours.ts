import type { ITheme } from '@xterm/xterm'

const names = {
  background: '--term',
  foreground: '--term-ink',
  cursor: '--term-ink',
  cursorAccent: '--term',
  black: '--term-line',
  red: '--t-red',
  green: '--t-green',
  yellow: '--t-yellow',
  blue: '--t-blue',
  magenta: '--t-magenta',
  cyan: '--t-cyan',
  white: '--term-ink',
  brightBlack: '--term-soft',
  brightRed: '--t-red',
  brightGreen: '--t-green',
  brightYellow: '--t-yellow',
  brightBlue: '--t-blue',
  brightMagenta: '--t-magenta',
  brightCyan: '--t-cyan',
  brightWhite: '--term-ink',
  selectionBackground: '--term-sel',
} as const

/** Returns the style sheet's current colours for a terminal in this element. */
export function coloursAt(place: HTMLElement): ITheme {
  return Object.fromEntries(Object.entries(names).map(([name, token]) => [name, resolved(place, token)]))
}

/** Returns a colour as `#rrggbb`. A custom property contains only a formula; a property that uses it contains the result. */
export function resolved(place: HTMLElement, token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  place.append(probe)
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number)
  probe.remove()
  return `#${[red, green, blue].map((each) => each.toString(16).padStart(2, '0')).join('')}`
}

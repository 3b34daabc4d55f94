/** HTML that is known to be safe, because `html` below built it. */
export interface Markup {
  readonly markup: string
}

type Part = string | number | null | Markup | readonly Part[]

/** Builds HTML as a tagged template. Every value that is not `Markup` is escaped; null is empty; lists are joined. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  let markup = strings[0] ?? ''
  for (const [index, value] of values.entries()) markup += partOf(value) + (strings[index + 1] ?? '')
  return { markup }
}

/** Returns Paddock's own text as markup without escaping it, such as the style sheet. */
export function trusted(markup: string): Markup {
  return { markup }
}

export function escapeHtml(text: string): string {
  const safe: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' }
  // Characters that reorder or hide the text around them are made visible. Unlike markup, this also works in attributes. Unlike
  // `printable`, it keeps line breaks and tabs, and escapes private-use characters, which may be pictures in a browser's font.
  return text
    .replace(/[&<>"'`]/g, (each) => safe[each] ?? each)
    .replace(/[^\P{C}\n\t]/gu, (each) => `[U+${(each.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`)
}

function partOf(value: Part): string {
  if (value === null) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if ('markup' in value) return value.markup
  return value.map(partOf).join('')
}

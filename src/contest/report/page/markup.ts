/** HTML that is known to be safe: it was put together by `html` below. */
export interface Markup {
  readonly markup: string
}

type Part = string | number | null | Markup | readonly Part[]

/** Tagged template for HTML: every value that is not `Markup` itself is escaped; null is nothing; lists are joined. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  let markup = strings[0] ?? ''
  for (const [index, value] of values.entries()) markup += partOf(value) + (strings[index + 1] ?? '')
  return { markup }
}

/** For text of our own that is markup already, such as the style sheet. */
export function trusted(markup: string): Markup {
  return { markup }
}

export function escapeHtml(text: string): string {
  const safe: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' }
  // Characters that reorder or hide what is around them are shown, not obeyed; unlike markup that is good in attributes, too. Unlike
  // `printable`, this keeps lines and tabs, and shows what may be a picture in a browser's font (private use).
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

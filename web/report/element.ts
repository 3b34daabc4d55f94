type Child = Node | string | null

/** Creates an element. Texts become text nodes, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '')
    else if (value !== false) made.setAttribute(name, value)
  }
  made.append(...children.filter((each) => each !== null))
  return made
}

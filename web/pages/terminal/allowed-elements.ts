/** The nonce that the server gave this page. */
const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? ''
const original = Document.prototype.createElement

/**
 * Makes scripts create elements that the page's policy allows. The policy requires nonces on style elements, and refuses style attributes.
 * xterm.js 6 creates style elements, sets the attribute on spans of coloured text, and uses the page's document for both, despite its
 * option `documentOverride`.
 */
export function allowStyles(): void {
  document.createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = original.call(document, name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    else if (element instanceof HTMLSpanElement) element.setAttribute = setAttribute
    return element
  }
}

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value
  else Element.prototype.setAttribute.call(this, name, value)
}

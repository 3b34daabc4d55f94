import { micromark } from 'micromark'
import { visible } from '../parts/visible.ts'
import { element } from './element.ts'

/** The most characters of a Markdown file that is rendered, because the time can grow much faster than the length. */
const mostMarkdown = 32_000

/** Returns a function that shows a file in rendered form; null if its type has no rendered form. */
export function rendering(path: string): ((text: string) => HTMLElement) | null {
  if (/\.(?:md|markdown)$/i.test(path)) return markdown
  if (/\.html?$/i.test(path)) return page
  if (/\.svg$/i.test(path)) return drawing
  return null
}

/** Renders Markdown. HTML in it is shown as text, pictures become their names, and links show their targets but do not work. */
function markdown(text: string): HTMLElement {
  if (text.length > mostMarkdown) return element('pre', { class: 'pad any' }, visible(text))
  const made = element('template')
  made.innerHTML = micromark(text)
  for (const image of made.content.querySelectorAll('img'))
    image.replaceWith(`[${image.alt || 'picture'}: ${image.getAttribute('src') ?? ''}]`)
  for (const link of made.content.querySelectorAll('a')) {
    const to = link.getAttribute('href') ?? ''
    link.replaceWith(...link.childNodes, ...(to === '' || to === link.textContent ? [] : [element('span', { class: 'soft' }, ` (${to})`)]))
  }
  return element('div', { class: 'prose pad' }, made.content)
}

/**
 * Shows a page. Nothing in it runs: the frame is sandboxed, and has this page's policy. Frames in the page are removed nonetheless, because
 * Chromium connects to their addresses before the policy refuses them.
 */
function page(text: string): HTMLElement {
  const made = new DOMParser().parseFromString(text, 'text/html')
  const frames = 'iframe, frame, frameset, object, embed, portal, fencedframe'
  const remove = (root: ParentNode): void => {
    for (const each of root.querySelectorAll('template')) remove(each.content)
    for (const each of root.querySelectorAll(frames)) each.remove()
  }
  remove(made)
  return element('iframe', {
    class: 'submitted',
    sandbox: '',
    srcdoc: `<!doctype html>${made.documentElement.outerHTML}`,
    title: 'The file as a page: nothing in it can run or fetch anything',
  })
}

/** Shows a picture, which cannot run scripts or load anything. */
function drawing(text: string): HTMLElement {
  return picture(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`)
}

export function picture(source: string): HTMLElement {
  return element('p', { class: 'pad' }, element('img', { class: 'picture', src: source, alt: 'The picture in this file' }))
}

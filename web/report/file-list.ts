import { visible } from '../parts/visible.ts'
import { element } from './element.ts'

/** A file that one or both of two submissions contain. */
export interface Entry {
  readonly path: string
  readonly kind: 'same' | 'differs' | 'left only' | 'right only'
}

const signs = { same: '=', differs: '≠', 'left only': '◂', 'right only': '▸' } as const

/** Returns a list of files by directory. Up, Down, Home and End move within it; it is a single stop for the Tab key. */
export function fileList(entries: readonly Entry[], current: string | null, open: (path: string) => void): HTMLElement {
  const buttons: HTMLButtonElement[] = []
  const choose = (button: HTMLButtonElement): void => {
    for (const each of buttons) {
      each.tabIndex = each === button ? 0 : -1
      each.toggleAttribute('aria-current', each === button)
    }
  }
  const list = element('ul', { class: 'tree', 'aria-label': 'Files' })
  let directory: string | null = null
  for (const { path, kind } of entries) {
    const cut = path.lastIndexOf('/') + 1
    if (path.slice(0, cut) !== directory) {
      directory = path.slice(0, cut)
      if (directory !== '') list.append(element('li', { class: 'dir any' }, visible(directory)))
    }
    const button = element(
      'button',
      { type: 'button', class: `file ${kind.replace(' ', '-')}`, title: kind, 'aria-label': `${visible(path.slice(cut))}, ${kind}` },
      element('span', { 'aria-hidden': 'true', class: 'sign' }, signs[kind]),
      element('span', { class: 'any' }, visible(path.slice(cut))),
    )
    button.addEventListener('click', () => {
      choose(button)
      open(path)
    })
    if (path === current) button.setAttribute('aria-current', 'true')
    button.tabIndex = path === current ? 0 : -1
    buttons.push(button)
    list.append(element('li', {}, button))
  }
  list.addEventListener('keydown', (event) => {
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
    const button = to === undefined || at < 0 ? undefined : buttons[to]
    if (button === undefined) return
    event.preventDefault()
    button.focus()
    button.click()
  })
  return list
}

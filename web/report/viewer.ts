import { visible } from '../parts/visible.ts'
import { lines } from './code.ts'
import { type ComparedRow, comparedRows } from './compare.ts'
import { element } from './element.ts'
import { type Entry, fileList } from './file-list.ts'
import { picture, rendering } from './rendered.ts'
import { type Work, type WorkFile, whyNot } from './report-work.ts'

/** The number of rows of a file that are shown at first. */
const mostRows = 2000

type Sides = readonly [WorkFile | null, WorkFile | null]

/** Shows two submissions side by side: their files, and one open file. `isFixed`: the first is on the left, the second on the right. */
export function showWork(place: HTMLElement, work: Work, { isFixed = false } = {}): void {
  const names = work.submissions.map(({ name }) => name)
  const choose = (label: string, chosen: number): HTMLSelectElement =>
    element(
      'select',
      { 'aria-label': label },
      ...names.map((name, index) => element('option', { value: String(index), selected: index === chosen }, visible(name))),
      label === 'Left' ? null : element('option', { value: '-1', selected: chosen === -1 }, '(nothing)'),
    )
  const [left, right] = [choose('Left', 0), choose('Right', names.length > 1 ? 1 : -1)]
  const find = element('input', { type: 'search', placeholder: 'Find a file', 'aria-label': 'Find a file' })
  const onlyChanged = element('input', { type: 'checkbox' })
  const list = element('div', { class: 'card work-files' })
  const view = element('div', { class: 'card work-view', 'aria-live': 'off' })
  const said = element('p', { class: 'soft small', role: 'status' })
  let asText = false
  let open: string | null = null
  let shown = 0

  const sides = (): readonly [readonly WorkFile[], readonly WorkFile[]] => [filesOf(left), filesOf(right)]
  const filesOf = (select: HTMLSelectElement): readonly WorkFile[] => work.submissions[Number(select.value)]?.files ?? []
  const chosen = (path: string): Sides => {
    const [a, b] = sides()
    return [a.find((each) => each.path === path) ?? null, b.find((each) => each.path === path) ?? null]
  }

  const show = async (path: string): Promise<void> => {
    open = path
    const turn = ++shown
    const both = chosen(path)
    const body = await bodyOf(work, path, both, asText).catch(() =>
      element('p', { class: 'pad soft' }, 'This file cannot be shown. It is in the archive.'),
    )
    // Another file was opened in the meantime.
    if (turn !== shown) return
    const render = rendering(path)
    const toggle = render === null ? null : element('button', { type: 'button', class: 'chip', 'aria-pressed': String(asText) }, 'As text')
    toggle?.addEventListener('click', () => {
      asText = !asText
      void show(path).then(() => view.querySelector<HTMLButtonElement>('header .chip')?.focus())
    })
    view.replaceChildren(
      element('header', {}, element('h3', { class: 'any' }, visible(path)), element('span', { class: 'end row' }, toggle)),
      body,
    )
  }
  const refill = (): void => {
    const [a, b] = sides()
    const entries = together(a, b)
    const wanted = find.value.trim().toLowerCase()
    const found = entries.filter(({ path, kind }) => path.toLowerCase().includes(wanted) && (!onlyChanged.checked || kind !== 'same'))
    const same = entries.filter(({ kind }) => kind === 'same').length
    said.textContent = `${entries.length} ${entries.length === 1 ? 'file' : 'files'}, ${same} of them the same in both${found.length === entries.length ? '' : `; ${found.length} shown`}`
    const current = found.some(({ path }) => path === open) ? open : (found[0]?.path ?? null)
    list.replaceChildren(fileList(found, current, (path) => void show(path)))
    if (current === null) view.replaceChildren(element('p', { class: 'pad soft' }, 'No file.'))
    else void show(current)
  }
  for (const each of [left, right, onlyChanged]) each.addEventListener('change', refill)
  find.addEventListener('input', refill)
  place.append(
    element(
      'div',
      { class: 'row work-choice' },
      ...(isFixed
        ? [element('p', {}, `${names[0]} is on the left, ${names[1]} on the right.`)]
        : [element('label', { class: 'row' }, 'Left', left), element('label', { class: 'row' }, 'Right', right)]),
      find,
      element('label', { class: 'row' }, onlyChanged, 'Only what differs'),
    ),
    said,
    element('div', { class: 'work' }, list, view),
  )
  refill()
}

function together(a: readonly WorkFile[], b: readonly WorkFile[]): readonly Entry[] {
  const right = new Map(b.map((each) => [each.path, each]))
  const left = new Set(a.map((each) => each.path))
  const entries = a.map((each): Entry => {
    const other = right.get(each.path)
    return {
      path: each.path,
      kind: other === undefined ? 'left only' : other.hash === each.hash && other.size === each.size ? 'same' : 'differs',
    }
  })
  const more = b.filter(({ path }) => !left.has(path)).map(({ path }): Entry => ({ path, kind: 'right only' }))
  return [...entries, ...more].toSorted((x, y) => (x.path < y.path ? -1 : 1))
}

async function bodyOf(work: Work, path: string, [a, b]: Sides, asText: boolean): Promise<HTMLElement> {
  const read = async (file: WorkFile | null): Promise<HTMLElement | string | null> => {
    if (file === null) return null
    if (typeof file.content === 'string') return element('p', { class: 'pad soft' }, whyNot[file.content])
    const content = await work.content(file.content)
    return 'picture' in content ? picture(content.picture) : content.text
  }
  const [left, right] = await Promise.all([read(a), read(b)])
  const render = asText ? null : rendering(path)
  const isText = (side: typeof left): side is string | null => typeof side === 'string' || side === null
  if (render === null && isText(left) && isText(right)) return code(path, left, right)
  const pane = (side: typeof left, which: string): HTMLElement =>
    element(
      'div',
      { class: 'pane' },
      side === null
        ? element('p', { class: 'pad soft' }, `Not on the ${which}.`)
        : typeof side === 'string'
          ? render === null
            ? code(path, side, null)
            : render(side)
          : side,
    )
  return element('div', { class: 'panes2' }, pane(left, 'left'), pane(right, 'right'))
}

function linesOf(path: string, text: string | null): readonly Node[] {
  return text === null ? [] : lines(path, text)
}

/** Shows one text, or two aligned texts. */
function code(path: string, left: string | null, right: string | null): HTMLElement {
  const [a, b] = [left, right].map((each) => (each === null ? null : visible(each.replaceAll('\r\n', '\n')))) as [
    string | null,
    string | null,
  ]
  const [linesA, linesB] = [linesOf(path, a), linesOf(path, b)]
  const body = element('tbody')
  const isPair = a !== null && b !== null
  const rows: readonly ComparedRow[] = isPair
    ? comparedRows(a, b)
    : (a === null ? linesB : linesA).map((_, at) => ({ left: a === null ? null : at, right: b === null ? null : at, isSame: true }))
  const cell = (side: readonly Node[], at: number | null, kind: string): HTMLElement[] => [
    element('td', { class: 'l' }, at === null ? '' : String(at + 1)),
    element('td', { class: `s ${kind}` }, at === null || kind === '' ? '' : kind === 'a' ? '+' : '-'),
    element('td', { class: kind }, at === null ? null : (side[at] ?? null)),
  ]
  const add = (from: number, to: number): void => {
    for (const { left: x, right: y, isSame } of rows.slice(from, to))
      body.append(
        element(
          'tr',
          {},
          ...(a === null ? [] : cell(linesA, x, isSame || x === null ? '' : 'd')),
          ...(b === null ? [] : cell(linesB, y, isSame || y === null ? '' : 'a')),
        ),
      )
  }
  add(0, mostRows)
  const diff = element(
    'div',
    { class: `diff${isPair ? ' pair' : ''}`, tabindex: '0', role: 'region', 'aria-label': 'The file' },
    element('table', {}, body),
  )
  const all = element('div', {}, diff)
  if (!isPair) all.prepend(element('p', { class: 'soft small only' }, a === null ? 'Only on the right.' : 'Only on the left.'))
  if (isPair && a === b) all.prepend(element('p', { class: 'soft small only' }, 'The same in both.'))
  if (rows.length > mostRows) {
    const more = element('button', { type: 'button', class: 'btn' }, `Show ${rows.length - mostRows} more lines`)
    more.addEventListener('click', () => {
      add(mostRows, rows.length)
      more.remove()
    })
    all.append(element('p', { class: 'pad' }, more))
  }
  return all
}

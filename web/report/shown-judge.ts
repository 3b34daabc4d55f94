import { visible } from '../parts/visible.ts'
import { element } from './element.ts'
import { ask, comeIn } from './judge-session.ts'
import { Work } from './report-work.ts'
import { showWork } from './viewer.ts'

type Better = 'A' | 'B' | 'tie'

interface Standing {
  readonly of: number
  readonly answered: number
  readonly next: number | null
}
interface Pair {
  readonly work: { readonly index: string; readonly data: string }
  readonly someRenamed: boolean
  readonly changes: string | null
  readonly answer: { readonly better: Better; readonly why: string | null } | null
}

const choices: readonly { readonly better: Better; readonly words: string; readonly key: string }[] = [
  { better: 'A', words: 'A is better', key: '1' },
  { better: 'tie', words: 'A tie', key: '0' },
  { better: 'B', words: 'B is better', key: '2' },
]

const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}
const [said, texts, place, form] = ['said', 'texts', 'work', 'answer'].map(byId) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement]

const why = element('textarea', { id: 'why', rows: '1', maxlength: '20000', placeholder: 'Why (optional)', 'aria-label': 'Why (optional)' })
const before = element('button', { type: 'button', class: 'btn plain', hidden: true }, 'Change the last answer')
const buttons = choices.map(({ words, key, better }) => {
  const button = element('button', { type: 'button', class: 'btn' }, words, element('kbd', { 'aria-hidden': 'true' }, key))
  button.setAttribute('aria-keyshortcuts', key)
  button.addEventListener('click', () => void act(() => give(better)))
  return button
})

let now = 0
let last: number | null = null
/** True while a pair is loaded or an answer is sent. Keys and clicks then have no effect. */
let isBusy = true

async function start(): Promise<void> {
  form.append(why, element('div', { class: 'choices' }, ...buttons), element('p', {}, before))
  form.addEventListener('submit', (event) => event.preventDefault())
  before.addEventListener('click', () => void act(async () => (last === null || last === now ? undefined : await show(last))))
  addEventListener('keydown', (event) => {
    const chosen = choices.find(({ key }) => key === event.key)
    const isTyping = event.target instanceof Element && event.target.closest('input:not([type=checkbox]),textarea,select') !== null
    if (chosen === undefined || isTyping || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    void act(() => give(chosen.better))
  })
  isBusy = false
  await act(async () => {
    await comeIn()
    const standing = await ask<Standing & { readonly texts: readonly { readonly title: string; readonly text: string }[] }>(
      'GET',
      '/api/v1/judging',
    )
    texts.replaceChildren(
      ...standing.texts.map(({ title, text }) =>
        element('details', { class: 'card' }, element('summary', {}, title), element('pre', { class: 'pad any' }, visible(text))),
      ),
    )
    await goOn(standing)
  })
}

/** Runs one action at a time. A failure is shown, and nothing else changes. */
async function act(what: () => Promise<void>): Promise<void> {
  if (isBusy) return
  isBusy = true
  // Do not use `disabled`, which would remove the focus.
  for (const each of [...buttons, before]) each.setAttribute('aria-disabled', 'true')
  try {
    await what()
  } catch (error) {
    said.textContent = error instanceof Error ? error.message : String(error)
  } finally {
    isBusy = false
    for (const each of buttons) each.removeAttribute('aria-disabled')
    before.toggleAttribute('hidden', last === null)
    if (last !== now) before.removeAttribute('aria-disabled')
  }
}

async function goOn({ next, of, answered }: Standing): Promise<void> {
  if (next === null) return end(of)
  await show(next)
  said.textContent = `Pair ${answered + 1} of ${of}. Judge only the work.`
}

async function show(at: number): Promise<void> {
  const pair = await ask<Pair>('GET', `/api/v1/pairs/${at}`)
  const work = await Work.of(pair.work)
  const inside = element('div', { class: 'stack' })
  showWork(inside, work, { isFixed: true })
  const notes = [
    ...(pair.changes === null
      ? []
      : [`${pair.changes} is not part of the submission. It shows what each participant changed in the common starting files.`]),
    ...(pair.someRenamed
      ? ['Paddock added .submitted to some names, because programs would run or obey the file under its own name.']
      : []),
  ]
  place.replaceChildren(element('h2', {}, 'The submissions'), inside, ...notes.map((each) => element('p', { class: 'soft small' }, each)))
  why.value = pair.answer?.why ?? ''
  for (const [index, { better }] of choices.entries()) buttons[index]?.classList.toggle('main', pair.answer?.better === better)
  if (pair.answer !== null) said.textContent = 'This is your last answer. Give it again, or another one.'
  now = at
  form.hidden = false
  scrollTo(0, 0)
}

async function give(better: Better): Promise<void> {
  if (now === 0) return
  const standing = await ask<Standing>('PUT', `/api/v1/pairs/${now}/answer`, { better, why: why.value === '' ? null : why.value })
  last = now
  await goOn(standing)
}

function end(of: number): void {
  now = 0
  form.hidden = true
  place.replaceChildren()
  said.textContent = `You gave all ${of} answers. The command has ended, and shows how much the judges agree with you. You can close this page.`
}

void start()

import { parseSize, sizeRule } from '../../../base/quantities.ts'
import type { InternalName } from '../../../egress/notice.ts'
import { internalPlace } from '../../run/internal-place.ts'
import { askNames, askYes, type Dialog } from '../../terminal/dialog.ts'
import { columns } from '../../terminal/table.ts'
import type { Suggestion } from './suggest.ts'

/** Shows what can be chosen, and returns the names that the user chooses. */
export async function choose(
  dialog: Dialog,
  title: string,
  question: string,
  all: readonly Suggestion[],
  usual: readonly string[],
): Promise<readonly string[]> {
  dialog.say(title)
  for (const each of columns(all.map(({ name, why }) => [`  ${name}`, why]))) dialog.say(each)
  const names = all.map(({ name }) => name)
  const chosen = await askNames(dialog, question, names, usual)
  dialog.say('')
  return chosen
}

/** Asks for each registry with only internal addresses, and returns the pins that the user wants. */
export async function askPins(dialog: Dialog, internal: readonly InternalName[]): Promise<readonly string[]> {
  const pins: string[] = []
  for (const each of internal) {
    const { text, pin } = internalPlace(each)
    if (pin === null) {
      dialog.say(`${text}, so cells cannot reach it.`)
      continue
    }
    dialog.say(`${text}. Cells reach it only if it is pinned: ${pin}`)
    if (await askYes(dialog, 'Let cells reach it?', false)) pins.push(pin)
  }
  if (internal.length > 0) dialog.say('')
  return pins
}

/** Asks for the memory limit; null: the default limit. */
export async function askMemory(dialog: Dialog): Promise<string | null> {
  for (;;) {
    const answer = await dialog.ask('Memory limit of each cell, such as 8GiB? [three quarters of this machine, at most 16GiB] ')
    if (answer === '') return null
    if (parseSize(answer) !== null) return answer
    dialog.say(`The limit must be ${sizeRule}.`)
  }
}

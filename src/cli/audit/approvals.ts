import { OpenQuestions } from '../../egress/approvals/open-questions.ts'
import { rememberedAnswers, unreadableAnswers } from '../../egress/approvals/remembered.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { resolvePaths } from '../../paths.ts'
import { printable } from '../../text.ts'
import { printJson, say } from '../terminal/output.ts'
import { wishText } from './approval-text.ts'

/** `paddock approvals`: what waits for an answer, and with `--json` also what was answered for good. */
export async function approvalsList(options: { readonly json?: boolean }): Promise<number> {
  const paths = resolvePaths(process.env)
  const unreadable = unreadableAnswers(paths.config)
  if (unreadable !== null) say(`${unreadable} cannot be read: what you answered for good, noes too, does not count`)
  const open = await new OpenQuestions(paths.state).list()
  if (options.json === true) printJson({ schemaVersion: 1, open, remembered: rememberedAnswers(paths.config) })
  else if (open.length === 0) say('no question is open')
  for (const each of options.json === true ? [] : open) {
    const left = Math.max(0, Math.round((Date.parse(each.expiresAt) - Date.now()) / 1_000))
    process.stdout.write(
      `${each.id}  ${wishText(each)}  · cell ${printable(`${each.cell}, ${each.cellName} · asked by ${each.source === 'user' ? 'your options' : each.source}`)} · ${left} s left\n`,
    )
  }
  return exitCodes.done
}

/** `paddock approvals allow|deny <id>`. */
export async function approvalsAnswer(
  id: string,
  allowed: boolean,
  options: { readonly for: string; readonly json?: boolean },
): Promise<number> {
  const scope = (['once', 'cell', 'always'] as const).find((each) => each === options.for)
  if (scope === undefined)
    throw new PaddockError('BAD_INPUT', `--for ${options.for}: an answer cannot reach so far.`, { hint: 'Give once, cell or always.' })
  const paths = resolvePaths(process.env)
  const unreadable = scope === 'always' ? unreadableAnswers(paths.config) : null
  if (unreadable !== null)
    throw new PaddockError('FILES_FAILED', `${unreadable} cannot be read, so no answer can be kept for good.`, {
      hint: 'Look at it, or delete it; --for cell lasts as long as the cell.',
    })
  const question = await new OpenQuestions(paths.state).answer(id, { allowed, scope })
  if (options.json === true) printJson({ schemaVersion: 1, question, allowed, scope })
  else say(`${allowed ? 'allowed' : 'denied'} (${scope}): ${wishText(question)}`)
  return exitCodes.done
}

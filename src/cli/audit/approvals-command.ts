import { PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import type { AnswerScope } from '../../egress/approvals/answer-scopes.ts'
import type { OpenQuestion } from '../../egress/approvals/approval-schema.ts'
import { OpenQuestions } from '../../egress/approvals/open-questions.ts'
import { rememberedAnswers, unreadableAnswers } from '../../egress/approvals/remembered.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { wishText } from './approval-text.ts'

/** `paddock approvals`: lists the open questions, and with `--json` also the remembered answers. */
export async function approvalsList(): Promise<Answer<Result<'approvals list'>>> {
  const paths = resolvePaths(process.env)
  const unreadable = unreadableAnswers(paths.config)
  const open = await new OpenQuestions(paths.state).list()
  return {
    data: { schemaVersion: 1, open, remembered: rememberedAnswers(paths.config) },
    lines: open.map(lineOf),
    notes: [
      ...(unreadable === null ? [] : [`${unreadable} cannot be read: remembered answers are ignored`]),
      ...(open.length === 0 ? ['no question is open'] : []),
    ],
  }
}

function lineOf(each: OpenQuestion): string {
  const left = Math.max(0, Math.round((Date.parse(each.expiresAt) - Date.now()) / 1_000))
  const source = each.source === 'user' ? 'your options' : each.source
  return `${each.id}  ${wishText(each)}  · cell ${each.cell}, ${each.cellName} · asked by ${source} · ${left} s left`
}

/** Runs `paddock approvals allow|deny <id>`. */
export async function approvalsAnswer(
  id: string,
  allowed: boolean,
  options: { readonly for: AnswerScope },
): Promise<Answer<Result<'approvals allow'>>> {
  const scope = options.for
  const paths = resolvePaths(process.env)
  const unreadable = scope === 'always' ? unreadableAnswers(paths.config) : null
  if (unreadable !== null)
    throw new PaddockError('FILES_FAILED', `${unreadable} cannot be read, so no answer can be remembered.`, {
      hint: 'Look at it, or delete it; --for cell lasts as long as the cell',
    })
  const question = await new OpenQuestions(paths.state).answer(id, { allowed, scope })
  return {
    data: { schemaVersion: 1, question, allowed, scope },
    notes: [`${allowed ? 'allowed' : 'denied'} (${scope}): ${wishText(question)}`],
  }
}

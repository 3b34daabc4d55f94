import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import type { Contest } from './brief.ts'
import { briefTemplate, judgeBriefTemplate, projectBriefTemplate } from './templates.ts'

/** Throws BAD_INPUT for a contest with unedited template texts, because the agents that would get them cost money. */
export function refuseUntouched({ brief, judgeBrief, config, layout }: Contest): void {
  const needless = config.judges.length > 0 && judgeBrief?.trim() === judgeBriefTemplate.trim()
  const files = [
    ...([briefTemplate, projectBriefTemplate].some((each) => brief.trim() === each.trim()) ? [layout.brief] : []),
    ...(needless ? [layout.judgeBrief] : []),
  ]
  if (files.length === 0) return
  const names = files.map((each) => path.basename(each)).join(' and ')
  const remove = !needless ? '' : files.length > 1 ? ', or delete JUDGE_BRIEF.md' : ', or delete it'
  throw new PaddockError(
    'BAD_INPUT',
    `${names} ${files.length > 1 ? 'are' : 'is'} still as "paddock contest new" wrote ${files.length > 1 ? 'them' : 'it'}.`,
    {
      hint: `Edit ${files.join(' and ')}${remove}`,
    },
  )
}

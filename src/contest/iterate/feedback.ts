import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { utf8Text } from '../../base/text.ts'
import { readRegular } from '../../files/read-regular.ts'
import type { Contest } from '../config/brief.ts'
import { readText } from '../config/read-text.ts'

const maxBytes = 1024 * 1024

/** The feedback for participants on their earlier work. */
export interface Feedback {
  /** The feedback for all participants; empty: there is none. */
  readonly all: string
  /** The feedback for individual participants, by name. */
  readonly own: ReadonlyMap<string, string>
}

/**
 * Reads FEEDBACK.md next to contest.yaml, or `file` instead, and every FEEDBACK.NAME.md there.
 * @throws PaddockError NOT_FOUND; BAD_INPUT, including for a NAME that is not a participant
 */
export async function readFeedback({ layout, config }: Contest, file: string | undefined): Promise<Feedback> {
  const names = config.participants.map((each) => each.name)
  const own = new Map<string, string>()
  for (const each of (await readdir(layout.root)).toSorted()) {
    const name = /^FEEDBACK\.(.+)\.md$/.exec(each)?.[1]
    if (name === undefined) continue
    if (!names.includes(name)) {
      const near = nearest(name, names)
      throw new PaddockError('BAD_INPUT', `${path.join(layout.root, each)}: this contest has no participant of that name.`, {
        hint: near === null ? `The names are ${names.join(', ')}` : `Did you mean FEEDBACK.${near}.md?`,
      })
    }
    own.set(name, await readText(layout.root, path.join(layout.root, each), null, ''))
  }
  const all = file === undefined ? await readText(layout.root, path.join(layout.root, 'FEEDBACK.md'), null, '') : await readGiven(file)
  return { all, own }
}

/** Returns the FEEDBACK.md of one participant, with the reviews of its work. Null: there is no feedback for it. */
export function feedbackFor(name: string, { all, own }: Feedback, reviews: string | undefined): string | null {
  const parts = [all, own.get(name) ?? '', reviews ?? ''].map((each) => each.trim()).filter((each) => each !== '')
  return parts.length === 0 ? null : `${parts.join('\n\n---\n\n')}\n`
}

async function readGiven(file: string): Promise<string> {
  const read = await readRegular(file, maxBytes)
  const why = {
    missing: 'does not exist',
    'not-a-file': 'is not a file',
    'too-large': 'is larger than 1 MiB',
    unreadable: 'cannot be read',
  }
  if (!read.ok) throw new PaddockError(read.why === 'missing' ? 'NOT_FOUND' : 'BAD_INPUT', `--feedback ${file}: it ${why[read.why]}.`)
  const text = utf8Text(read.bytes)
  if (text === null) throw new PaddockError('BAD_INPUT', `--feedback ${file}: it is not UTF-8 text.`, { hint: 'Save it as UTF-8' })
  return text
}

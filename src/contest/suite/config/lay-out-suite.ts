import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { stringify } from 'yaml'
import { PaddockError } from '../../../base/errors.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { keyText } from '../../../config/key-path.ts'
import { writeAtomic } from '../../../files/atomic.ts'
import { kindBelow } from '../../../files/kind-below.ts'
import { removeTree } from '../../../files/remove-tree.ts'
import { broughtHash, readBrought } from '../../config/brought.ts'
import { isDirectory } from '../../config/contest-directories.ts'
import { contestSchema } from '../../config/contest-schema.ts'
import { mustStayInside } from '../../config/read-text.ts'
import { copyStart } from '../../run/start/copy-start.ts'
import { type GoodBrief, readTexts, type Suite } from './read-suite.ts'

/**
 * Returns whether a contest of a suite exists and matches suite.yaml, its brief and what participants bring now. raw/ and other directories are
 * not compared.
 */
export async function isLaidOut(suite: Pick<Suite, 'brought'>, brief: GoodBrief, directory: string): Promise<'no' | 'same' | 'other'> {
  const read = async (name: string): Promise<string> => await readFile(path.join(directory, name), 'utf8').catch(() => '')
  const contest = await read('contest.yaml')
  if (contest === '') return 'no'
  if (contest !== textOf(brief)) return 'other'
  for (const [name, text] of Object.entries(brief.texts)) if ((await read(name)) !== text) return 'other'
  // Something that is missing there, or cannot be read, is not the same.
  const { participants } = contestSchema.parse(brief.composed.contest)
  const there = await readBrought(directory, participants, (_, key, message) => {
    throw new PaddockError('BAD_INPUT', `${keyText(key)} ${message}.`)
  }).catch(() => null)
  return there !== null && broughtHash(there) === broughtHash(suite.brought) ? 'same' : 'other'
}

/**
 * Writes the contest of a brief: contest.yaml, its texts, raw/, and copies of the directories that it names. Results of earlier runs are
 * kept. contest.yaml is written last, so that everything is repeated if it is missing.
 * @throws PaddockError BAD_INPUT if the brief no longer exists.
 */
export async function layOut(suite: Suite, brief: GoodBrief, directory: string): Promise<void> {
  const { root } = suite.layout
  const texts = await readTexts(suite.layout, brief.path)
  const at = path.join(root, brief.path)
  await mkdir(directory, { recursive: true })
  await rm(path.join(directory, 'contest.yaml'), { force: true })
  for (const each of ['raw', 'suite', 'brief']) await removeTree(path.join(directory, each))
  const raw = path.join(at, 'raw')
  await mustStayInside(at, raw)
  if (await isDirectory(raw)) await copyStart(raw, path.join(directory, 'raw'))
  for (const { from, path: below } of brief.composed.copies)
    await copyStart(path.join(from === 'suite' ? root : at, below), path.join(directory, from, below))
  for (const [name, text] of Object.entries(texts)) {
    if (text === '') await rm(path.join(directory, name), { force: true })
    else await writeAtomic(path.join(directory, name), text)
  }
  await writeAtomic(path.join(directory, 'contest.yaml'), textOf(brief))
}

/** Throws BAD_INPUT if a path that a suite writes to is a symbolic link, or is behind one. */
export function refuseLink(root: string, file: string): void {
  if (kindBelow(root, file) !== 'link') return
  throw new PaddockError('BAD_INPUT', `${file} is a symbolic link, or behind one; a suite keeps only its own files there.`, {
    hint: `See its target: ls -l ${shellWord(file)}`,
  })
}

function textOf({ composed }: GoodBrief): string {
  return stringify(composed.contest)
}

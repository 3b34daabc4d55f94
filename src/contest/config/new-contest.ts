import { constants } from 'node:fs'
import { cp, lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { writeAtomic } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import { isSafeName } from '../../files/safe-name.ts'
import { unmakeableBelow } from '../../files/unmakeable.ts'
import { Layout } from './contest-layout.ts'
import { briefTemplate, contestTemplate, judgeBriefTemplate, projectBriefTemplate } from './templates.ts'

/**
 * `contest new`: creates a directory with a commented contest.yaml, BRIEF.md, JUDGE_BRIEF.md and raw/. Existing files are never
 * overwritten. Throws BAD_INPUT for an existing contest. Each file is written completely or not at all. `begin` fills start/ of the
 * contest. Resolves to the files created.
 */
export async function newContest(directory: string, begin?: (layout: Layout) => Promise<void>): Promise<string[]> {
  const root = path.resolve(directory)
  if (await exists(path.join(root, 'contest.yaml'))) {
    throw new PaddockError('BAD_INPUT', `There is already a contest in ${root}.`, { hint: 'Choose another directory, or run that contest' })
  }
  refuseUnmakeable(root)
  const name = contestName(path.basename(root))
  await mkdir(path.join(root, 'raw'), { recursive: true })
  const files: [string, string][] = [
    ['contest.yaml', contestTemplate(name, begin !== undefined)],
    ['BRIEF.md', begin === undefined ? briefTemplate : projectBriefTemplate],
    ['JUDGE_BRIEF.md', judgeBriefTemplate],
  ]
  await begin?.(new Layout(root))
  const made: string[] = []
  // contest.yaml is written last: as long as it is missing, the command can be repeated.
  for (const [file, content] of files.toReversed()) {
    const at = path.join(root, file)
    if ((await lstat(at).catch(() => null)) !== null) continue
    await writeAtomic(at, content)
    made.unshift(at)
  }
  return made
}

/** The name of the file in a copy that records the original. */
const mark = '.copied-from'
/** The files that a contest creates itself. They are not copied. */
const made = new Set(['rounds', 'judging', 'consultations', 'report', 'status.json', 'events.jsonl', 'applied.json', mark])

/**
 * Copies the user's files of a contest to a directory that is missing, empty, or an earlier copy of the same contest. `report` and other
 * generated files are not copied.
 * @throws PaddockError NOT_FOUND, BAD_INPUT, CONFLICT if the directory has other contents, which are left alone
 */
export async function copyContest(from: string, to: string): Promise<void> {
  const source = path.resolve(from)
  const target = path.resolve(to)
  if (!(await exists(path.join(source, 'contest.yaml')))) {
    throw new PaddockError('NOT_FOUND', `There is no contest in ${source}: contest.yaml is missing.`)
  }
  if (target === source || target.startsWith(source + path.sep)) {
    throw new PaddockError('BAD_INPUT', `${target} is inside the contest that is to be copied.`, { hint: 'Choose a directory outside it' })
  }
  refuseUnmakeable(target)
  await refuseOther(source, target)
  await cp(source, target, {
    recursive: true,
    // Links keep their target text, so that they do not lead back into the original contest.
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (file) => !made.has(path.relative(source, file)),
  })
}

/**
 * Throws CONFLICT unless `target` is empty or a copy of `source`. The mark is written first, so that an interrupted copy can be repeated.
 */
async function refuseOther(source: string, target: string): Promise<void> {
  const names: readonly string[] = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new PaddockError('BAD_INPUT', `${target} is not a directory that can be read (${error.code}).`, {
      hint: 'Choose an empty directory',
    })
  })
  const from = await realpath(source)
  const read = names.includes(mark) ? await readRegular(path.join(target, mark), 64 * 1024) : null
  const copied = read?.ok === true ? read.bytes.toString('utf8').replace(/\n$/, '') : null
  if (names.length > 0 && copied !== from)
    throw new PaddockError('CONFLICT', `${target} is not empty, and it is not a copy of ${source}.`, { hint: 'Choose an empty directory' })
  await writeAtomic(path.join(target, mark), `${from}\n`)
}

/** Throws BAD_INPUT if there can be no such directory. */
export function refuseUnmakeable(directory: string): void {
  const parent = unmakeableBelow(directory)
  if (parent !== null)
    throw new PaddockError('BAD_INPUT', `${directory} cannot be made: there can be no directories in ${parent}.`, {
      hint: 'Choose another directory',
    })
}

function contestName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
  return isSafeName(name) ? name : 'my-contest'
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null
}

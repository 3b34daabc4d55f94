import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { findAdapter } from '../../adapters/registry.ts'
import { contains } from '../../cell/plan/filesystem.ts'
import type { MaskWish } from '../../cell/plan/spec.ts'
import { type KeyPath, keyText } from '../../config/key-path.ts'
import { type Problem, problemAt, problemsOf } from '../../config/problems.ts'
import { readYaml } from '../../config/yaml.ts'
import { PaddockError } from '../../errors.ts'
import { kindBelow } from '../../files/kind-below.ts'
import { shellWord } from '../../shell-word.ts'
import { Layout } from '../state/layout.ts'
import { staysInside } from './links.ts'
import { type ContestConfig, contestSchema, renamedKeys } from './schema.ts'
import { problemsBeyondShape } from './sense.ts'

/** A contest as the user wrote it, read and found good. */
export interface Contest {
  readonly config: ContestConfig
  readonly layout: Layout
  readonly brief: string
  /** Null where there is no JUDGE_BRIEF.md. */
  readonly judgeBrief: string | null
  /** The directory that everybody sees as /contest/raw; null where there is none. */
  readonly raw: string | null
  /** What appears empty in every cell. */
  readonly masks: readonly MaskWish[]
}

const maxTextBytes = 1024 * 1024

/**
 * Reads contest.yaml, BRIEF.md and JUDGE_BRIEF.md out of a directory.
 * Throws NOT_FOUND for a missing file, BAD_INPUT: one sentence with the file, the line and the key of each problem.
 */
export async function readContest(directory: string): Promise<Contest> {
  const layout = new Layout(directory)
  const text = await readText(
    layout,
    layout.config,
    `there is no contest in ${layout.root}: contest.yaml is missing`,
    `start one with: paddock contest new ${shellWord(directory)}`,
  )
  const config = parseContest(text)
  const brief = await readText(layout, layout.brief, `${layout.brief} is missing`, 'write what the participants are to do into BRIEF.md')
  if (brief.trim() === '')
    throw new PaddockError('BAD_INPUT', `${layout.brief} is empty`, { hint: 'write what the participants are to do into it' })
  const judgeBrief = await readText(layout, layout.judgeBrief, null, '')
  await checkDirectories(config, layout)
  await mustStayInside(layout, layout.raw)
  const raw = (await isDirectory(layout.raw)) ? layout.raw : null
  return { config, layout, brief, judgeBrief: judgeBrief === '' ? null : judgeBrief, raw, masks: masksOf(config, layout) }
}

/** The text of a contest.yaml as a config. Throws BAD_INPUT with every problem and its place. */
export function parseContest(text: string): ContestConfig {
  const read = readYaml(text)
  if ('problems' in read) throw badContest(read.problems)
  const { source, data } = read
  const parsed = contestSchema.safeParse(data)
  if (!parsed.success) throw badContest(problemsOf(parsed.error, contestSchema, data, source, { what: 'a contest', renamed: renamedKeys }))
  const problems = problemsBeyondShape(parsed.data, findAdapter)
  if (problems.length > 0) throw badContest(problems.map((each) => problemAt(each.path, each.message, source)))
  return parsed.data
}

function badContest(problems: readonly Problem[]): PaddockError {
  const shown = problems.slice(0, 20)
  const lines = shown.map((each) => `line ${each.line}, column ${each.column}: ${each.key === '' ? '' : `${each.key} `}${each.message}`)
  if (problems.length > shown.length) lines.push(`and ${problems.length - shown.length} more`)
  const message =
    lines.length === 1 ? `contest.yaml, ${lines[0]}` : `contest.yaml has ${problems.length} problems:\n  ${lines.join('\n  ')}`
  return new PaddockError('BAD_INPUT', message)
}

/** The directories that the config names must be there, and be inside the contest also after links are followed. */
async function checkDirectories(config: ContestConfig, layout: Layout): Promise<void> {
  const named: { path: KeyPath; value: string }[] = []
  for (const group of ['participants', 'judges', 'checks'] as const) {
    for (const [index, each] of config[group].entries()) {
      if (each.files !== undefined) named.push({ path: [group, index, 'files'], value: each.files })
      if ('inputs' in each && each.inputs !== undefined) named.push({ path: [group, index, 'inputs'], value: each.inputs })
    }
  }
  if (config.oracle !== undefined) named.push({ path: ['oracle'], value: config.oracle })
  const root = await realpath(layout.root)
  for (const { path: key, value } of named) {
    const place = `contest.yaml, ${keyText(key)}`
    const directory = path.join(layout.root, value)
    if (!(await isDirectory(directory))) {
      throw new PaddockError('BAD_INPUT', `${place}: there is no directory ${value} beside contest.yaml`, {
        hint: `make it with: mkdir -p ${shellWord(directory)}`,
      })
    }
    const real = await realpath(directory)
    if (real === root || !real.startsWith(root + path.sep)) {
      throw new PaddockError('BAD_INPUT', `${place}: ${value} leads out of the contest directory, or is all of it`, {
        hint: 'name a directory of its own beside contest.yaml',
      })
    }
  }
  await hideOracle(config, layout)
}

/** Participants must not see what is right. */
async function hideOracle({ oracle, participants }: ContestConfig, layout: Layout): Promise<void> {
  if (oracle === undefined) return
  const real = await realpath(path.join(layout.root, oracle))
  const shown = [layout.raw, ...participants.flatMap(({ files }) => (files === undefined ? [] : [path.join(layout.root, files)]))]
  for (const each of shown) {
    const seen = await realpath(each).catch(() => null)
    if (seen === null || !(contains(seen, real) || contains(real, seen))) continue
    throw new PaddockError('BAD_INPUT', `contest.yaml, oracle: participants would see it: they see ${path.relative(layout.root, each)}`, {
      hint: 'keep it in a directory of its own',
    })
  }
}

/** What is masked must be there, without a link on the way, and in what cells see: raw/, or the `files` of somebody. */
function masksOf(config: ContestConfig, layout: Layout): MaskWish[] {
  const shown = [
    layout.raw,
    ...[...config.participants, ...config.judges, ...config.checks]
      .flatMap((each) => [each.files, 'inputs' in each ? each.inputs : undefined])
      .flatMap((files) => (files === undefined ? [] : [path.join(layout.root, files)])),
  ]
  return config.mask.map((each, index) => {
    const bad = (what: string, hint: string): PaddockError =>
      new PaddockError('BAD_INPUT', `contest.yaml, mask[${index}]: ${each} ${what}`, { hint })
    const source = path.join(layout.root, each)
    if (!shown.some((one) => contains(one, source) && one !== source)) throw bad('is in nothing that a cell sees', 'name a path in raw/')
    const kind = kindBelow(layout.root, source)
    if (kind === null) throw bad('does not exist', 'leave it out')
    if (kind === 'link') throw bad('is a symbolic link, or behind one', 'mask what it leads to')
    return { source, kind }
  })
}

async function isDirectory(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isDirectory() ?? false
}

/** A contest that was cloned can hold a link to anything, and agents would see what it leads to. */
async function mustStayInside({ root }: Layout, file: string): Promise<void> {
  if (await staysInside(root, file)) return
  throw new PaddockError('BAD_INPUT', `${file} is a link that leads out of the contest directory.`, {
    hint: `Put ${path.basename(file)} itself into ${root}`,
  })
}

/** Reads UTF-8 text of at most 1 MiB; if the file is missing: NOT_FOUND with `missing`, or an empty text if that is null. */
export async function readText(layout: Layout, file: string, missing: string | null, hint: string): Promise<string> {
  const name = path.basename(file)
  await mustStayInside(layout, file)
  try {
    // A FIFO in its place is refused, not waited for.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const facts = await handle.stat()
    if (!facts.isFile()) throw new PaddockError('BAD_INPUT', `${file} is not a file`)
    if (facts.size > maxTextBytes) throw new PaddockError('BAD_INPUT', `${name} is larger than 1 MiB`, { hint: 'put data into raw/' })
    return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile())
  } catch (error) {
    if (error instanceof PaddockError) throw error
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      if (missing === null) return ''
      throw new PaddockError('NOT_FOUND', missing, { hint, cause: error })
    }
    if (error instanceof TypeError)
      throw new PaddockError('BAD_INPUT', `${name} is not UTF-8 text`, { hint: 'save it as UTF-8', cause: error })
    throw new PaddockError('BAD_INPUT', `${file} cannot be read (${code})`, { cause: error })
  }
}

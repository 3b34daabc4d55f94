import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { findAdapter } from '../../adapters/find-adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { contains } from '../../cell/plan/filesystem.ts'
import type { MaskWish } from '../../cell/plan/spec.ts'
import { problemAt, problemsOf, type Source } from '../../config/config-problems.ts'
import { readYaml } from '../../config/yaml.ts'
import { kindBelow } from '../../files/kind-below.ts'
import { type AllBrought, readBrought } from './brought.ts'
import { checkDirectories, isDirectory } from './contest-directories.ts'
import { Layout } from './contest-layout.ts'
import { type ContestConfig, contestSchema, renamedKeys } from './contest-schema.ts'
import { problemsError, refuseProblems } from './problems-error.ts'
import { mustStayInside, readText } from './read-text.ts'
import { problemsBeyondShape } from './sense.ts'
import { roleKey } from './variants.ts'

/** A contest as the user wrote it, after validation. */
export interface Contest {
  readonly config: ContestConfig
  /** The text of contest.yaml, for the positions of problems. */
  readonly source: Source
  readonly layout: Layout
  /** The real path of its directory. */
  readonly root: string
  readonly brief: string
  /** The text of JUDGE_BRIEF.md; null: there is no such file. */
  readonly judgeBrief: string | null
  /** The directory that every cell sees as /contest/raw; null: there is no raw/. */
  readonly raw: string | null
  /** Paths that appear empty in every cell. */
  readonly masks: readonly MaskWish[]
  readonly brought: AllBrought
}

/**
 * Reads contest.yaml, BRIEF.md and JUDGE_BRIEF.md from a directory.
 * Throws NOT_FOUND for a missing file, and BAD_INPUT with the file, line and key of each problem.
 */
export async function readContest(directory: string): Promise<Contest> {
  const layout = new Layout(directory)
  const text = await readText(
    layout.root,
    layout.config,
    `There is no contest in ${layout.root}: contest.yaml is missing.`,
    `Run: paddock contest new ${shellWord(directory)}`,
  )
  const read = parsed(text)
  const brief = await readText(
    layout.root,
    layout.brief,
    `${layout.brief} is missing.`,
    'Write what the participants are to do into BRIEF.md',
  )
  if (brief.trim() === '')
    throw new PaddockError('BAD_INPUT', `${layout.brief} is empty.`, { hint: 'Write what the participants are to do' })
  return await checked(read, layout, { brief, judgeBrief: await readText(layout.root, layout.judgeBrief, null, '') })
}

/** Returns the contest of a contest.yaml with this text. An empty text for judges counts as missing. Throws BAD_INPUT like `readContest`. */
export async function contestOf(text: string, layout: Layout, texts: Texts): Promise<Contest> {
  return await checked(parsed(text), layout, texts)
}

type Texts = Readonly<Record<'brief' | 'judgeBrief', string>>

/** Checks what a config names in the directory of its contest. */
async function checked({ config, source }: Parsed, layout: Layout, { brief, judgeBrief }: Texts): Promise<Contest> {
  await checkDirectories(config, layout, source)
  await hideOracle(config, layout)
  await mustStayInside(layout.root, layout.raw)
  const raw = (await isDirectory(layout.raw)) ? layout.raw : null
  const root = await realpath(layout.root)
  const brought = await readBrought(root, config.participants, (index, key, message) => {
    const path = [...roleKey(config, 'participants', index, String(key[0])), ...key.slice(1)]
    throw problemsError('contest.yaml', [problemAt(path, message, source)])
  })
  return {
    config,
    source,
    layout,
    root,
    brief,
    judgeBrief: judgeBrief === '' ? null : judgeBrief,
    raw,
    masks: masksOf(config, layout),
    brought,
  }
}

/** Parses the text of a contest.yaml. Throws BAD_INPUT with every problem and its location. */
export function parseContest(text: string): ContestConfig {
  return parsed(text).config
}

type Parsed = Pick<Contest, 'config' | 'source'>

function parsed(text: string): Parsed {
  const read = readYaml(text)
  if ('problems' in read) throw problemsError('contest.yaml', read.problems)
  const { source, data } = read
  const result = contestSchema.safeParse(data)
  if (!result.success)
    throw problemsError('contest.yaml', problemsOf(result.error, contestSchema, data, source, { what: 'a contest', renamed: renamedKeys }))
  refuseProblems(problemsBeyondShape(result.data, findAdapter), source)
  return { config: result.data, source }
}

/** Throws BAD_INPUT if participants could see the oracle. */
async function hideOracle({ oracle, participants, start }: ContestConfig, layout: Layout): Promise<void> {
  if (oracle === undefined) return
  const real = await realpath(path.join(layout.root, oracle))
  const named = [start, ...participants.flatMap(({ files, instructions, prompt, skills = [] }) => [files, instructions, prompt, ...skills])]
  const shown = [layout.raw, ...named.flatMap((each) => (each === undefined ? [] : [path.join(layout.root, each)]))]
  for (const each of shown) {
    const seen = await realpath(each).catch(() => null)
    if (seen === null || !(contains(seen, real) || contains(real, seen))) continue
    throw new PaddockError('BAD_INPUT', `contest.yaml, oracle: participants would see it: they see ${path.relative(layout.root, each)}`, {
      hint: 'Keep it in a separate directory',
    })
  }
}

/**
 * Returns the masks. A masked path must exist, must not be behind a link, and must be in a directory that cells see: raw/, `files` or
 * `inputs`.
 */
function masksOf(config: ContestConfig, layout: Layout): MaskWish[] {
  const shown = [
    layout.raw,
    ...[...config.participants, ...config.judges, ...config.checks]
      .flatMap((each) => [each.files, 'inputs' in each ? each.inputs : undefined])
      .flatMap((files) => (files === undefined ? [] : [path.join(layout.root, files)])),
  ]
  return config.mask.map((each, index) => {
    const bad = (what: string, hint: string): PaddockError =>
      new PaddockError('BAD_INPUT', `contest.yaml, mask[${index}]: ${each} ${what}.`, { hint })
    const source = path.join(layout.root, each)
    if (!shown.some((one) => contains(one, source) && one !== source))
      throw bad('is not in a directory that a cell sees', 'Name a path in raw/')
    const kind = kindBelow(layout.root, source)
    if (kind === null) throw bad('does not exist', 'Leave it out')
    if (kind === 'link') throw bad('is a symbolic link, or behind one', 'Mask its target')
    return { source, kind }
  })
}

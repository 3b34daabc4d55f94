import path from 'node:path'
import * as z from 'zod'
import { findAdapter } from '../../../adapters/find-adapter.ts'
import { messageOf, PaddockError } from '../../../base/errors.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { firstLines } from '../../../base/text.ts'
import { problemAt, problemsOf, type Source } from '../../../config/config-problems.ts'
import { keyText } from '../../../config/key-path.ts'
import { readYaml } from '../../../config/yaml.ts'
import { type AllBrought, readBrought } from '../../config/brought.ts'
import { isDirectory } from '../../config/contest-directories.ts'
import { contestSchema, renamedKeys } from '../../config/contest-schema.ts'
import { problemsError } from '../../config/problems-error.ts'
import { readText } from '../../config/read-text.ts'
import { staysInside } from '../../config/refuse-linked-records.ts'
import { problemsBeyondShape } from '../../config/sense.ts'
import { roleKey } from '../../config/variants.ts'
import { type Composed, composeContest, type WrittenBrief, type WrittenSuite } from './compose.ts'
import { type FoundBrief, findBriefs } from './find-briefs.ts'
import { SuiteLayout } from './suite-layout.ts'
import { type SuiteConfig, suiteBriefSchema, suiteSchema } from './suite-schema.ts'

/** A brief of a suite, with the contents of its contests, or the reason why it has no contest. */
export type SuiteBrief = Pick<FoundBrief, 'name' | 'path'> &
  (
    | { readonly problem: string; readonly composed: null; readonly tags: readonly [] }
    | {
        readonly problem: null
        /** The content of brief.yaml; null: there is none. */
        readonly written: WrittenBrief | null
        readonly composed: Composed
        readonly texts: Readonly<Record<'BRIEF.md' | 'JUDGE_BRIEF.md', string>>
        readonly tags: readonly string[]
        /** Whether `suite from-git` made it from a commit. */
        readonly isFromGit: boolean
      }
  )
/** A brief that can be run. */
export type GoodBrief = Extract<SuiteBrief, { problem: null }>

/** The number of briefs that are read at the same time. */
export const briefsAtOnce = 16

/** A suite as the user wrote it. */
export interface Suite {
  readonly config: SuiteConfig
  /** The content of suite.yaml, without defaults. */
  readonly written: WrittenSuite
  /** The text of suite.yaml, for the positions of problems. */
  readonly source: Source
  readonly layout: SuiteLayout
  /** The briefs in the order of suite.yaml. Some may have a problem. */
  readonly briefs: readonly SuiteBrief[]
  /** What the participants bring. Their contests have copies of it. */
  readonly brought: AllBrought
}

/**
 * Reads suite.yaml and all briefs. A broken brief is returned with its problem, and does not affect the others.
 * @throws PaddockError NOT_FOUND without suite.yaml, BAD_INPUT if it is not valid or if no brief can be run.
 */
export async function readSuite(directory: string): Promise<Suite> {
  const layout = new SuiteLayout(directory)
  const text = await readText(layout.root, layout.config, `${layout.root} has no suite.yaml.`, 'Run: paddock suite new DIRECTORY')
  const { parsed, data, source } = parsedAs(suiteSchema, text, 'suite.yaml', 'a suite')
  const { contest } = parsed
  const brought = await readBrought(layout.root, contest.participants, (index, key, message) => {
    const path = ['contest', ...roleKey(contest, 'participants', index, String(key[0])), ...key.slice(1)]
    throw problemsError('suite.yaml', [problemAt(path, message, source)])
  })
  const found = await findBriefs(layout.root, parsed.briefs)
  const briefs: SuiteBrief[] = []
  const contests = found.length * parsed.repeats
  const read = (each: FoundBrief): Promise<SuiteBrief> => readBrief(layout, data as WrittenSuite, each, contests)
  for (let at = 0; at < found.length; at += briefsAtOnce) briefs.push(...(await Promise.all(found.slice(at, at + briefsAtOnce).map(read))))
  const broken = briefs.filter(({ problem }) => problem !== null)
  if (broken.length === briefs.length) {
    const all = broken.map(({ path: at, problem }) => `${at}: ${problem}`)
    throw new PaddockError('BAD_INPUT', `No brief of ${layout.config} can be run:\n  ${firstLines(all, 5).join('\n  ')}`)
  }
  return { config: parsed, written: data as WrittenSuite, source, layout, briefs, brought }
}

/**
 * Reads the texts of a brief for agents and judges. Throws BAD_INPUT or NOT_FOUND. The texts may have changed, because a suite may run for
 * days.
 */
export async function readTexts(layout: SuiteLayout, at: string): Promise<GoodBrief['texts']> {
  const root = path.join(layout.root, at)
  const brief = await readText(root, path.join(root, 'BRIEF.md'), `${at} has no BRIEF.md.`, 'Write what the participants are to do into it')
  if (brief.trim() === '') throw new PaddockError('BAD_INPUT', `${path.join(at, 'BRIEF.md')} is empty.`)
  const own = await readText(root, path.join(root, 'JUDGE_BRIEF.md'), null, '')
  return { 'BRIEF.md': brief, 'JUDGE_BRIEF.md': own === '' ? await readText(layout.root, layout.judgeBrief, null, '') : own }
}

async function readBrief(layout: SuiteLayout, suite: WrittenSuite, found: FoundBrief, contests: number): Promise<SuiteBrief> {
  const { name, path: at } = found
  try {
    if (found.problem !== null) throw new PaddockError('BAD_INPUT', found.problem)
    const root = path.join(layout.root, at)
    const texts = await readTexts(layout, at)
    const yaml = await readText(root, path.join(root, 'brief.yaml'), null, '')
    const written = yaml === '' ? null : (parsedAs(suiteBriefSchema, yaml, 'brief.yaml', 'a brief').data as WrittenBrief)
    const composed = composeContest(suite, name, written, contests)
    const contest = contestSchema.parse(composed.contest)
    const [problem] = problemsBeyondShape(contest, findAdapter)
    if (problem !== undefined) throw new PaddockError('BAD_INPUT', `${keyText(problem.path)} ${problem.message}`)
    await mustHave(layout.root, root, composed)
    const more = { tags: written?.tags ?? [], isFromGit: written?.fromCommit !== undefined }
    return { name, path: at, problem: null, written, composed, texts, ...more }
  } catch (error) {
    const known = error instanceof PaddockError || error instanceof z.ZodError
    if (!known) throw error
    return { name, path: at, problem: messageOf(error), composed: null, tags: [] }
  }
}

/** Throws BAD_INPUT unless each named path is a directory and is inside the suite or the brief after links are followed. */
async function mustHave(suite: string, brief: string, { copies }: Composed): Promise<void> {
  for (const { from, path: at, key, isBrought } of copies) {
    // Already read with the suite.
    if (isBrought === true) continue
    const root = from === 'suite' ? suite : brief
    const directory = path.join(root, at)
    const file = `${from}.yaml`
    if (!(await isDirectory(directory)))
      throw new PaddockError('BAD_INPUT', `${file}, ${key}: there is no directory ${at} beside it.`, {
        hint: `Run: mkdir -p ${shellWord(directory)}`,
      })
    if (at === '.' || !(await staysInside(root, directory)))
      throw new PaddockError('BAD_INPUT', `${file}, ${key}: ${at} leads out of its directory, or is all of it.`)
  }
}

function parsedAs<S extends z.ZodType>(
  schema: S,
  text: string,
  file: string,
  what: string,
): { parsed: z.output<S>; data: unknown; source: Source } {
  const read = readYaml(text)
  if ('problems' in read) throw problemsError(file, read.problems)
  const { source, data } = read
  const parsed = schema.safeParse(data)
  if (!parsed.success) throw problemsError(file, problemsOf(parsed.error, schema, data, source, { what, renamed: renamedKeys }))
  return { parsed: parsed.data, data, source }
}

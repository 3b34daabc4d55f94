import path from 'node:path'
import type * as z from 'zod'
import type { suiteBriefSchema, suiteSchema } from './suite-schema.ts'

/** The contents of suite.yaml and brief.yaml as they were written, after validation. */
export type WrittenSuite = z.input<typeof suiteSchema>
export type WrittenBrief = z.input<typeof suiteBriefSchema>

/** A directory or file that is copied into a contest of the suite. */
export interface Copied {
  /**
   * The file that names the directory, suite.yaml or brief.yaml. The path is relative to that file, and the copy is in a directory of this
   * name.
   */
  readonly from: 'suite' | 'brief'
  readonly path: string
  /** The key that names the directory. */
  readonly key: string
  /** True for a file or directory that a participant brings. */
  readonly isBrought?: true
}

type Participant = WrittenSuite['contest']['participants'][number]
type BringingPaths = Pick<Participant, 'skills' | 'instructions' | 'prompt'>

/** A contest.yaml of a suite, and the directories that must be next to it. */
export interface Composed {
  readonly contest: Readonly<Record<string, unknown>>
  readonly copies: readonly Copied[]
}

/** The directories, relative to a contest, in which it finds what its suite and its brief name. */
interface Places extends Readonly<Record<Copied['from'], string>> {
  readonly raw: string
}

/** The places in a contest of the suite, which has copies. */
const ofCopies: Places = { suite: 'suite', brief: 'brief', raw: 'raw' }

/** From this number of contests on, one trial in each suffices to tell a judge that obeys planted orders from a fair one. */
export const fewestToPool = 5

/**
 * Returns the contest of one brief: the settings of suite.yaml, overridden by those of brief.yaml. `contests` is the number of contests of the
 * suite. Pure.
 */
export function composeContest(
  suite: WrittenSuite,
  name: string,
  brief: WrittenBrief | null,
  contests: number,
  places = ofCopies,
): Composed {
  const copies: Copied[] = []
  const { limits, schemaVersion: _, tags: __, fromCommit: ___, ...ofBrief } = brief ?? { schemaVersion: 1 as const }
  const named = <T extends { readonly files?: string | undefined; readonly inputs?: string | undefined }>(
    from: Copied['from'],
    key: string,
    list: readonly T[] = [],
  ): T[] =>
    list.map((each, index) => ({
      ...each,
      ...(each.files === undefined ? {} : { files: moved(from, each.files, `${key}[${index}].files`) }),
      ...(each.inputs === undefined ? {} : { inputs: moved(from, each.inputs, `${key}[${index}].inputs`) }),
    }))
  const moved = (from: Copied['from'], at: string, key: string, more: Pick<Copied, 'isBrought'> = {}): string => {
    const normal = path.normalize(at).replace(/\/$/, '')
    copies.push({ from, path: normal, key, ...more })
    return path.join(places[from], normal)
  }
  const bringing = <T extends BringingPaths>(key: string, { skills, instructions, prompt, ...rest }: T) => {
    const file = (at: string, own: string): string => moved('suite', at, `${key}.${own}`, { isBrought: true })
    return {
      ...rest,
      ...(skills === undefined ? {} : { skills: skills.map((each, index) => file(each, `skills[${index}]`)) }),
      ...(instructions === undefined ? {} : { instructions: file(instructions, 'instructions') }),
      ...(prompt === undefined ? {} : { prompt: file(prompt, 'prompt') }),
    }
  }
  const withVariants = (participant: Participant, index: number) => {
    const key = `contest.participants[${index}]`
    const { variants, ...own } = participant
    if (variants === undefined) return bringing(key, own)
    const each = Object.entries(variants).map(([name, variant]) => {
      const [placed = variant] = named('suite', `${key}.variants.${name}`, [variant])
      const limited =
        limits === undefined || variant.limits === undefined ? placed : { ...placed, limits: { ...variant.limits, ...limits } }
      return [name, bringing(`${key}.variants.${name}`, limited)]
    })
    return { ...bringing(key, own), variants: Object.fromEntries(each) }
  }
  /** Returns masked paths. raw/ always belongs to the brief. Other masked paths are in directories that are copied anyway. */
  const masked = (from: Copied['from'], list: readonly string[] = []): string[] =>
    list.map((each) => {
      const inRaw = /^(?:\.\/)*raw(\/.*)?$/.exec(each)
      return inRaw === null ? path.join(places[from], path.normalize(each)) : `${places.raw}${inRaw[1] ?? ''}`
    })
  const part = (from: Copied['from'], prefix: string, written: Partial<WrittenSuite['contest']>): Record<string, unknown> => ({
    ...written,
    ...(written.checks === undefined ? {} : { checks: named(from, `${prefix}checks`, written.checks) }),
    ...(written.oracle === undefined ? {} : { oracle: moved(from, written.oracle, `${prefix}oracle`) }),
    ...(written.start === undefined ? {} : { start: moved(from, written.start, `${prefix}start`) }),
  })
  const { participants, judges = [], mask, ...common } = suite.contest
  // Settings that brief.yaml overrides are not copied from the suite.
  const kept = Object.fromEntries(Object.entries(common).filter(([key]) => !Object.hasOwn(ofBrief, key)))
  const { mask: own, ...rest } = ofBrief
  const masks = [...masked('suite', mask), ...masked('brief', own)]
  const { judging } = suite.contest
  const pooled = judging?.controls === true && contests >= fewestToPool ? { judging: { ...judging, controls: 1 } } : {}
  const contest = {
    schemaVersion: 1,
    name,
    ...part('suite', 'contest.', { ...kept, ...pooled }),
    ...part('brief', '', rest),
    participants: named('suite', 'contest.participants', participants)
      .map((each) => (limits === undefined ? each : { ...each, limits: { ...each.limits, ...limits } }))
      .map(withVariants),
    ...(judges.length === 0 ? {} : { judges: named('suite', 'contest.judges', judges) }),
    ...(masks.length === 0 ? {} : { mask: masks }),
  }
  return { contest, copies }
}

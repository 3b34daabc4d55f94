import path from 'node:path'
import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { SuiteLayout } from '../../contest/suite/config/suite-layout.ts'
import { type CommandRun, CommandRuns, type RunFacts } from './command-runs.ts'

/** The commands that take long, so that each is a process that outlives the server. */
export const suiteCommands = ['run', 'rejudge', 'refine', 'archive', 'compare'] as const
export type SuiteCommand = (typeof suiteCommands)[number]

interface WorkFacts extends RunFacts {
  readonly command: SuiteCommand
}

/** The run of a command on a suite. */
export type SuiteWork = CommandRun<WorkFacts> & {
  /** The contests that are not done, with the reasons. Empty while the command runs. */
  readonly notDone: readonly { readonly run: string; readonly why: string }[]
}

export interface SuiteOrder extends WorkFacts {
  /** The names of the briefs; empty: all. */
  readonly only: readonly string[]
  /** Only `run`: whether participants and judges that did not finish run again. */
  readonly retry?: boolean | undefined
  /** Only `refine`: the participants that run again; empty: all. */
  readonly participants?: readonly string[] | undefined
  /** Only `archive`: whether to include transcripts and output of agents. */
  readonly withLogs?: boolean | undefined
  /** Only `compare`: the earlier run, and the round of its contests. */
  readonly base?: string | undefined
  readonly round?: number | undefined
  /** Only `compare`: the conditions of gates, whether to use old scores, and the US dollars that judges may cost. */
  readonly failIf?: readonly string[] | undefined
  readonly asJudged?: boolean | undefined
  readonly budget?: number | undefined
  /** The most cells that run at the same time; by default as suite.yaml says, or as many as the machine has room for. */
  readonly parallel?: number | undefined
}

/** Returns the directory for the archives of a suite that a server makes. Briefs are never below report/. */
export const archivesOf = (directory: string): string => path.join(new SuiteLayout(directory).report, 'archives')

/** The commands on suites that were started over an API. Only the newest of each suite is remembered. */
export class SuiteWorks {
  readonly #runs: CommandRuns<WorkFacts>
  /** The contests that are not done of commands that have ended, by their id. */
  readonly #notDone = new Map<string, SuiteWork['notDone']>()

  constructor(root: string, program: readonly string[], env: NodeJS.ProcessEnv, state: string) {
    this.#runs = new CommandRuns('suite', root, program, env, state)
  }

  /** Starts a command. @throws PaddockError CONFLICT while any process works on the suite */
  async start(order: SuiteOrder): Promise<SuiteWork> {
    const { directory, requestedBy, command } = order
    const before = (await this.#runs.list()).filter((each) => each.directory === directory)
    if (await this.#runs.isAtWork(directory, before))
      throw new PaddockError('CONFLICT', `A process works on the suite in ${directory}.`, { hint: 'Wait for its end, or cancel it' })
    const started = await this.#runs.start({ directory, requestedBy, command }, wordsOf(order))
    for (const { id } of before) {
      await this.#runs.forget(id)
      this.#notDone.delete(id)
    }
    return { ...started, notDone: [] }
  }

  /** Returns the newest command on each suite. */
  async list(): Promise<readonly SuiteWork[]> {
    const newest = [...Map.groupBy(await this.#runs.list(), ({ directory }) => directory).values()].flatMap(
      (each) => each.find(({ state }) => state === 'running') ?? each[0] ?? [],
    )
    return await Promise.all(newest.map(async (each) => ({ ...each, notDone: await this.#notDoneOf(each) })))
  }

  /** Returns the newest command on the suite in a directory; null: none was started. */
  async of(directory: string): Promise<SuiteWork | null> {
    return (await this.list()).find((each) => each.directory === directory) ?? null
  }

  /** Returns true while any process works on a suite, also one that was started from a command line. */
  isAtWork(directory: string): Promise<boolean> {
    return this.#runs.isAtWork(directory)
  }

  /** Asks the command on a suite to end its cells and then itself. @throws PaddockError CONFLICT if none runs that was started here */
  async cancel(directory: string): Promise<SuiteWork> {
    const work = await this.of(directory)
    if (work !== null && (await this.#runs.cancel(work.id))) return work
    if (!(await this.isAtWork(directory))) throw new PaddockError('CONFLICT', 'No process works on this suite.')
    throw new PaddockError('CONFLICT', 'The process that works on this suite was started from a command line.', {
      hint: `On its machine, run: paddock suite cancel ${shellWord(directory)}`,
    })
  }

  async #notDoneOf({ id, state }: CommandRun<WorkFacts>): Promise<SuiteWork['notDone']> {
    if (state !== 'done') return []
    const known = this.#notDone.get(id) ?? notDoneIn(await this.#runs.output(id))
    this.#notDone.set(id, known)
    return known
  }
}

function wordsOf(order: SuiteOrder): readonly string[] {
  const { directory, command, only, retry, participants = [], withLogs, parallel, base, round, failIf = [], asJudged, budget } = order
  return [
    ...['suite', command, '--json'],
    ...(command === 'archive' ? [`--out=${archivesOf(directory)}`] : ['--quiet']),
    ...(only.length === 0 ? [] : [`--only=${only.join(',')}`]),
    ...(retry === true ? ['--retry'] : []),
    ...(participants.length === 0 ? [] : [`--participants=${participants.join(',')}`]),
    ...(withLogs === true ? ['--with-logs'] : []),
    ...(parallel === undefined ? [] : [`--parallel=${parallel}`]),
    ...failIf.map((each) => `--fail-if=${each}`),
    ...(asJudged === true ? ['--as-judged'] : []),
    ...(budget === undefined ? [] : [`--budget=${budget}`]),
    ...['--', ...(base === undefined ? [] : [round === undefined ? base : `${base}@${round}`]), directory],
  ]
}

/** The answers of the commands, as far as they name contests that are not done. */
const answerSchema = z.union([
  z.object({ contests: z.array(z.object({ run: z.string(), state: z.string(), why: z.string().nullable() })) }),
  z.object({
    briefs: z.array(z.object({ name: z.string(), runs: z.array(z.object({ repeat: z.int(), why: z.string().nullable() })) })),
  }),
])

function notDoneIn(output: string): SuiteWork['notDone'] {
  let answer: unknown
  try {
    answer = JSON.parse(output)
  } catch {
    return []
  }
  const read = answerSchema.safeParse(answer)
  if (!read.success) return []
  const all =
    'contests' in read.data
      ? read.data.contests.filter(({ state }) => state !== 'done')
      : read.data.briefs.flatMap(({ name, runs }) => runs.map(({ repeat, why }) => ({ run: `${name}/${repeat}`, why })))
  return all.flatMap(({ run, why }) => (why === null ? [] : [{ run, why }]))
}

import { runSuite } from '../../src/contest/suite/run-suite.ts'
import type { SuiteDeps, SuiteEvent, SuiteOptions } from '../../src/contest/suite/suite-deps.ts'
import { type Bench, evenJudge, openBench } from './contest-bench.ts'

/** A bench whose directory is a suite. */
export interface SuiteBench extends Bench {
  readonly suiteDeps: SuiteDeps
  readonly suiteEvents: SuiteEvent[]
  run(options?: SuiteOptions): ReturnType<typeof runSuite>
}

export async function openSuiteBench(change: Partial<SuiteDeps> = {}): Promise<SuiteBench> {
  const bench = await openBench()
  const suiteEvents: SuiteEvent[] = []
  const suiteDeps: SuiteDeps = { ...bench.deps, progress: (event) => suiteEvents.push(event), ...change }
  return {
    ...bench,
    suiteDeps,
    suiteEvents,
    run: (options) => runSuite(bench.contest, suiteDeps, options),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

/** Writes a suite whose participants are shell lines. `more` and `ofContest` override keys of suite.yaml and of its contest. */
export async function writeSuite(
  bench: Pick<Bench, 'write'>,
  participants: Readonly<Record<string, string>>,
  briefs: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
  ofContest: Readonly<Record<string, unknown>> = { judges: [shellRole('judge', evenJudge(3))] },
): Promise<void> {
  const contest = {
    participants: Object.entries(participants).map(([name, line]) => shellRole(name, line)),
    rubric: { scale: { min: 1, max: 5 }, dimensions: [{ id: 'quality', description: 'How good it is.' }] },
    ...ofContest,
  }
  await bench.write('suite.yaml', JSON.stringify({ schemaVersion: 1, name: 'trial', briefs: ['briefs/*'], contest, ...more }, null, 2))
  for (const each of briefs) await bench.write(`briefs/${each}/BRIEF.md`, `Write answer.txt, for ${each}.\n`)
}

export function shellRole(name: string, line: string): Readonly<Record<string, unknown>> {
  return { name, agent: 'command', command: ['sh', '-c', line] }
}

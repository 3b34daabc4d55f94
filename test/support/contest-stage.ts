import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeStage, paddock, type Ran, type Stage, type Who } from './cli.ts'
import { evenJudge } from './contest-bench.ts'

/** A contest of shell lines, for tests of the built command. */
export interface ContestStage extends Disposable {
  readonly stage: Stage
  readonly contest: string
  /** Writes a file of the contest as the user who runs Paddock. */
  put(file: string, content: string): void
  read(file: string): string
  /** Runs `paddock contest STEP DIRECTORY …` to its end. */
  run(step: string, ...args: readonly string[]): Promise<Ran>
}

type Lines = Readonly<Record<string, string>>

/** A judge that gives every label 5 of 5. */
export const fiveForAll = evenJudge(5)

export function makeContestStage(
  who: Who,
  participants: Lines,
  judges: Lines = {},
  more: Readonly<Record<string, unknown>> = {},
): ContestStage {
  const stage = makeStage(who)
  const contest = path.join(stage.root, 'contest')
  mkdirSync(contest)
  const contenders = (lines: Lines) =>
    Object.entries(lines).map(([name, line]) => ({ name, agent: 'command', command: ['sh', '-c', line] }))
  const put = (file: string, content: string): void => {
    const at = path.join(contest, file)
    mkdirSync(path.dirname(at), { recursive: true })
    writeFileSync(at, content)
    stage.own()
  }
  put('BRIEF.md', 'Write answer.\n')
  put(
    'contest.yaml',
    `# A comment.\n${JSON.stringify({
      schemaVersion: 1,
      name: 'trial',
      participants: contenders(participants),
      judges: contenders(judges),
      rubric: { scale: { min: 0, max: 5 }, dimensions: [{ id: 'quality', description: 'How good it is.' }] },
      checks: [{ name: 'there', command: ['test', '-f', 'answer'] }],
      ...more,
    })}\n`,
  )
  return {
    stage,
    contest,
    put,
    read: (file) => readFileSync(path.join(contest, file), 'utf8'),
    run: (step, ...args) => paddock(stage, ['contest', step, contest, ...args]),
    [Symbol.dispose]: () => stage[Symbol.dispose](),
  }
}

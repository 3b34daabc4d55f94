import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { StartCell } from '../src/cell/cell.ts'
import type { CellSpec } from '../src/cell/plan/spec.ts'
import { contestDeps } from '../src/contest/run/host-deps.ts'
import { runContest } from '../src/contest/stages/run-contest.ts'
import type { ContestDeps } from '../src/contest/state/contest-deps.ts'
import { readSuite } from '../src/contest/suite/config/read-suite.ts'
import { runSuite } from '../src/contest/suite/run-suite.ts'
import { runsOf, standingsOf } from '../src/contest/suite/runs.ts'
import { openHost } from '../src/host.ts'
import { type Figure, inTurn, median, time } from './measure.ts'

const cells = 100
const atOnce = 8
const rounds = 3
const bar = 1.5

/** Measures a contest of 100 agents that do nothing, and a suite of 100 briefs for one of them, compared to starting 100 cells. */
export async function manyCells(
  start: StartCell,
  spec: CellSpec,
  directory: string,
  env: Readonly<Record<string, string>>,
): Promise<Figure[]> {
  using host = openHost({ env, notice: () => {} })
  const signal = new AbortController().signal
  const plain = await contestDeps(host, { signal, progress: () => {} })
  // The specs of the participants' cells, which are also started without a contest for comparison.
  const asked: CellSpec[] = []
  const deps: ContestDeps = {
    ...plain,
    startCell: (wish, io, stop) => {
      asked.push(wish)
      return plain.startCell(wish, io, stop)
    },
  }
  const idle = (name: string): object => ({ name, agent: 'command', command: ['true'] })
  const rubric = { dimensions: [{ id: 'quality', description: 'How good it is.' }] }
  const contest = (): Promise<unknown> => {
    const at = place(directory, 'contest.yaml', {
      schemaVersion: 1,
      name: 'many',
      rubric,
      participants: Array.from({ length: cells }, (_, each) => idle(`p${each}`)),
    })
    writeFileSync(path.join(at, 'BRIEF.md'), 'Do nothing.\n')
    return runContest(at, deps, { parallel: atOnce })
  }
  const suiteAt = (count: number): string => {
    const at = place(directory, 'suite.yaml', {
      schemaVersion: 1,
      name: 'many',
      briefs: ['briefs/*'],
      contest: { rubric, participants: [idle('p')] },
    })
    for (let each = 0; each < count; each += 1) {
      mkdirSync(path.join(at, 'briefs', `b${each}`), { recursive: true })
      writeFileSync(path.join(at, 'briefs', `b${each}`, 'BRIEF.md'), 'Do nothing.\n')
    }
    return at
  }
  await contest()
  const same = asked.splice(0, cells)
  const took = await inTurn(rounds, {
    bare: () => time(() => alone(start, Array<CellSpec>(cells).fill(spec))),
    alone: () => time(() => alone(plain.startCell, same)),
    contest: () => time(contest),
    suite: () => time(() => runSuite(suiteAt(cells), { ...deps, progress: () => {} }, { parallel: atOnce })),
  })
  const status = async (at: string): Promise<number> => {
    const suite = await readSuite(at)
    return await time(() => standingsOf(runsOf(suite)))
  }
  const [few, many] = [suiteAt(100), suiteAt(1000)]
  const looked = await inTurn(rounds, { few: () => status(few), many: () => status(many) })
  const ratio = (of: 'contest' | 'suite', to: 'alone' | 'bare' = 'alone'): number => median(took[of]) / median(took[to])
  const times = median(looked.many) / median(looked.few)
  return [
    figure(`a contest of ${cells} agents that do nothing, beside the same ${cells} cells`, ratio('contest'), bar),
    note(`the same, beside ${cells} cells without mounts, home and network`, ratio('contest', 'bare')),
    figure(`a suite of ${cells} briefs for one of them, beside the same ${cells} cells`, ratio('suite'), bar),
    note(`the same, beside ${cells} cells without mounts, home and network`, ratio('suite', 'bare')),
    { name: 'status of 1,000 contests, beside that of 100', value: `${times.toFixed(1)} times`, bar: 'at most 20 times', met: times <= 20 },
  ]
}

function note(name: string, value: number): Figure {
  return { name, value: `${value.toFixed(2)} times`, bar: 'none', met: true }
}

function figure(name: string, value: number, most: number): Figure {
  return { name, value: `${value.toFixed(2)} times`, bar: `at most ${most} times`, met: value <= most }
}

async function alone(start: StartCell, specs: readonly CellSpec[]): Promise<void> {
  const left = [...specs]
  const work = async (): Promise<void> => {
    for (let spec = left.pop(); spec !== undefined; spec = left.pop()) {
      if (spec.home.kind === 'persistent') mkdirSync(spec.home.path, { recursive: true, mode: 0o700 })
      const cell = await start(spec, { stdin: 'none' }, new AbortController().signal)
      await Promise.all([cell.done, drain(cell.stdout), drain(cell.stderr)])
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

function place(directory: string, file: string, config: object): string {
  mkdirSync(directory, { recursive: true })
  const at = mkdtempSync(path.join(directory, 'many-'))
  writeFileSync(path.join(at, file), JSON.stringify(config))
  return at
}

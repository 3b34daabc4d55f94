import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { contestDeps } from '../src/contest/run/host-deps.ts'
import { importSuite } from '../src/contest/suite/harbor/import-suite.ts'
import { openHost } from '../src/host.ts'
import { type Figure, inTurn, median, time } from './measure.ts'

const [few, many] = [40, 400]

/** Checks that importing ten times as many tasks takes about ten times as long: each has its own cells, and tasks are not compared. */
export async function importing(directory: string, env: Readonly<Record<string, string>>): Promise<Figure[]> {
  using host = openHost({ env, notice: () => {} })
  const deps = await contestDeps(host, { signal: new AbortController().signal, progress: () => {} })
  const run = (count: number) => (): Promise<number> => {
    const at = tasks(directory, count)
    return time(async () => {
      const { tasks: all } = await importSuite(path.join(at, 'tasks'), path.join(at, 'suite'), { ...deps, done: () => {} })
      const failed = all.find((each) => each.reasons.length > 0)
      if (all.length !== count || failed !== undefined) throw new Error(`not imported: ${JSON.stringify(failed)}`)
    })
  }
  const took = await inTurn(1, { few: run(few), many: run(many) })
  const times = median(took.many) / median(took.few)
  return [
    {
      name: `importing ${many} tasks, beside ${few}`,
      value: `${times.toFixed(1)} times, ${(median(took.many) / many).toFixed(0)} ms a task`,
      bar: `at most ${(2 * many) / few} times`,
      met: times <= (2 * many) / few,
    },
  ]
}

function tasks(directory: string, count: number): string {
  const at = mkdtempSync(path.join(directory, 'import-'))
  for (let each = 0; each < count; each += 1) {
    const task = path.join(at, 'tasks', `task-${each}`)
    for (const below of ['environment', 'tests', 'solution']) mkdirSync(path.join(task, below), { recursive: true })
    const files = {
      'task.toml': 'version = "1.0"\n',
      'instruction.md': 'Write /app/answer.txt.\n',
      'environment/Dockerfile': 'FROM debian:12\nWORKDIR /app\nCOPY given.txt ./\n',
      'environment/given.txt': `${each}\n`,
      'tests/test.sh': 'echo 1 > /logs/verifier/reward.txt\n',
      'solution/solve.sh': 'cp given.txt answer.txt\n',
    }
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(task, file), text)
  }
  return at
}

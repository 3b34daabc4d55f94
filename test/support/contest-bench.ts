import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { agentsOnMachine, loginFormats } from '../../src/adapters/agent-facts.ts'
import { locateFile } from '../../src/adapters/locate.ts'
import { programsInCell } from '../../src/cell/plan/programs-in-cell.ts'
import { quarantineNew } from '../../src/cell/trees/quarantine-new.ts'
import type { ContestDeps } from '../../src/contest/state/contest-deps.ts'
import type { ContestEvent } from '../../src/contest/state/progress.ts'
import { secretKeeper } from '../../src/credentials/secret-keeper.ts'
import { HostLogins } from '../../src/credentials/stored-logins.ts'
import { systemKeyring } from '../../src/credentials/vault/keyring.ts'
import { freshDirectory } from './fresh-directory.ts'
import { cellMachine, realCells } from './real-cell.ts'

/** A directory for one test, with the dependencies of a contest. */
export interface Bench extends AsyncDisposable {
  readonly root: string
  readonly contest: string
  readonly deps: ContestDeps
  readonly events: ContestEvent[]
  /** Writes a file of the contest, and creates its directories. */
  write(file: string, content: string, mode?: number): Promise<void>
}

/** Returns the dependencies of a contest, with Paddock's own directories below a root. */
export async function benchDeps(root: string): Promise<ContestDeps> {
  const paths = {
    config: path.join(root, 'config'),
    state: path.join(root, 'state'),
    data: path.join(root, 'data'),
    cache: path.join(root, 'cache'),
    userHome: path.join(root, 'home'),
    userName: 'tester',
  }
  return {
    startCell: realCells(paths),
    programs: (spec) => programsInCell(spec, cellMachine(paths)),
    quarantine: (at) => quarantineNew(at, agentsOnMachine.runLater),
    audit: () => {},
    isTrusted: async () => true,
    secrets: secretKeeper({
      env: {},
      vault: { configDirectory: paths.config, stateDirectory: paths.state, keyring: (vaultFile) => systemKeyring({ vaultFile, env: {} }) },
    }),
    logins: new HostLogins({ formats: await loginFormats(), paths, env: {}, audit: () => {}, notice: () => {} }),
    env: {},
    paths,
    installation: (adapter, program = null) => (program === null ? adapter.locate([]) : locateFile(program, [])),
    presets: async () => ({ pypi: [], npm: [], apt: [] }),
    now: () => new Date(),
    signal: new AbortController().signal,
    progress: () => {},
    machine: { memoryBytes: 8 * 1024 ** 3, cpus: 2 },
  }
}

export async function openBench(change: Partial<ContestDeps> = {}): Promise<Bench> {
  const root = freshDirectory(path.join(tmpdir(), 'contest-bench-'))
  const contest = path.join(root, 'contest')
  await mkdir(contest)
  await mkdir(path.join(root, 'home'))
  const events: ContestEvent[] = []
  const deps: ContestDeps = { ...(await benchDeps(root)), progress: (event) => events.push(event), ...change }
  return {
    root,
    contest,
    deps,
    events,
    async write(file, content, mode = 0o644) {
      const at = path.join(contest, file)
      await mkdir(path.dirname(at), { recursive: true })
      await writeFile(at, content, { mode })
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

/** Writes a contest whose roles are shell lines: participants work in /contest/out, judges write /contest/outbox/scores.json. */
export async function writeContest(
  bench: Bench,
  participants: Readonly<Record<string, string>>,
  judges: Readonly<Record<string, string>>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const contender = ([name, line]: [string, string]) => ({ name, agent: 'command', command: ['sh', '-c', line] })
  const config = {
    schemaVersion: 1,
    name: 'trial',
    participants: Object.entries(participants).map(contender),
    judges: Object.entries(judges).map(contender),
    rubric: { scale: { min: 1, max: 5 }, dimensions: [{ id: 'quality', description: 'How good it is.' }] },
    ...more,
  }
  await bench.write('contest.yaml', JSON.stringify(config, null, 2))
  await bench.write('BRIEF.md', 'Write answer.txt.\n')
}

/** Returns the shell line of a judge that gives every label the same score. */
export function evenJudge(score: number): string {
  return `cd /contest/submissions; s=; for l in *; do s="$s\${s:+,}\\"$l\\":{\\"quality\\":${score}}"; done; printf '{"scores":{%s}}' "$s" > /contest/outbox/scores.json`
}

export async function copyExample(name: string, to: string): Promise<void> {
  await cp(path.join(import.meta.dirname, '../../examples', name), to, { recursive: true })
}

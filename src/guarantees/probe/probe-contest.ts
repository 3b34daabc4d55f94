import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loginFormats } from '../../adapters/agent-facts.ts'
import { programsInCell } from '../../cell/plan/programs-in-cell.ts'
import type { Summary } from '../../contest/ranking/contest-summary.ts'
import { runContest } from '../../contest/stages/run-contest.ts'
import { secretKeeper } from '../../credentials/secret-keeper.ts'
import { HostLogins } from '../../credentials/stored-logins.ts'
import { systemKeyring } from '../../credentials/vault/keyring.ts'
import type { ProbeBench } from './bench.ts'
import type { InsideScript } from './inside.ts'

/** A participant or judge: a script that runs in its cell with `given` as its argument. */
export interface Scripted<Given = unknown> {
  readonly script: InsideScript<Given, unknown>
  readonly given: Given
}

/** Creates a contest with one participant and one judge, and runs it through to its report, like `paddock contest run`. */
export async function probeContest<P, J>(
  bench: ProbeBench,
  participant: Scripted<P>,
  judge: Scripted<J>,
): Promise<{ readonly root: string; readonly summary: Summary }> {
  const root = await bench.directory()
  const role = <Given>(name: string, { script, given }: Scripted<Given>) => ({
    name,
    agent: 'command',
    command: ['node', ...bench.command(script, given).slice(1)],
  })
  await layContest(root, role('participant', participant), role('judge', judge))
  return { root, summary: await run(bench, root, null) }
}

/**
 * Runs such a contest with a judge that is a CLI with its own messages: a program that ends like claude, after a shell script that
 * sets `said`.
 */
export async function probeSpeakingJudge(bench: ProbeBench, script: string): Promise<Summary> {
  const root = await bench.directory()
  const program = path.join(root, 'cli')
  await writeFile(
    program,
    `#!/bin/sh\n${script}\nprintf '{"type":"result","subtype":"success","is_error":false,"result":"%s"}\\n' "$said"\n`,
  )
  await chmod(program, 0o755)
  const participant = { name: 'participant', agent: 'command', command: ['sh', '-c', 'echo 1 > answer.txt'] }
  const judge = { name: 'judge', agent: 'claude', credentials: 'none', egress: { policy: 'off' } }
  await layContest(root, participant, judge)
  return await run(bench, root, program)
}

async function layContest(root: string, participant: object, judge: object): Promise<void> {
  await mkdir(path.join(root, 'contest'))
  const config = {
    schemaVersion: 1,
    name: 'probe',
    participants: [participant],
    judges: [judge],
    rubric: { scale: { min: 0, max: 10 }, dimensions: [{ id: 'quality', description: 'How good it is.' }] },
    timeouts: { participant: '20s', judge: '20s' },
  }
  await writeFile(path.join(root, 'contest/contest.yaml'), JSON.stringify(config))
  await writeFile(path.join(root, 'contest/BRIEF.md'), 'Write answer.txt.\n')
}

async function run(bench: ProbeBench, root: string, cli: string | null): Promise<Summary> {
  const { machine, own } = bench
  const paths = {
    ...own,
    data: path.join(root, 'data'),
    cache: path.join(root, 'cache'),
    userHome: machine.user.home,
    userName: machine.user.name,
  }
  const audit = (): void => undefined
  const vault = {
    configDirectory: own.config,
    stateDirectory: own.state,
    keyring: (vaultFile: string) => systemKeyring({ vaultFile, env: {} }),
  }
  const { summary } = await runContest(path.join(root, 'contest'), {
    startCell: bench.startCell,
    programs: (spec) => programsInCell(spec, machine),
    quarantine: bench.quarantine,
    audit,
    isTrusted: async () => true,
    env: {},
    paths,
    logins: new HostLogins({ paths, env: {}, formats: await loginFormats(), audit, notice: audit }),
    secrets: secretKeeper({ env: {}, vault }),
    installation: async (adapter) =>
      adapter.name === 'claude' && cli !== null
        ? { program: '/cli/claude', mounts: [{ source: cli, target: '/cli/claude', access: 'ro' }], pathEntries: [], version: null }
        : adapter.locate([]),
    presets: async () => ({}),
    now: () => new Date(),
    signal: new AbortController().signal,
    progress: () => undefined,
    machine: { memoryBytes: machine.memoryBytes, cpus: 1 },
  })
  return summary
}

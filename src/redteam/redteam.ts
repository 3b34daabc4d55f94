import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AgentAdapter } from '../adapters/adapter.ts'
import type { AuditSink } from '../audit/event.ts'
import type { MachineFacts } from '../cell/plan/machine-facts.ts'
import type { CellSpec } from '../cell/plan/spec.ts'
import type { CellReport } from '../cell/report.ts'
import type { Resolver } from '../egress/dns/resolver.ts'
import { own } from '../files/directory-owner.ts'
import { removeTree } from '../files/remove-tree.ts'
import type { Host } from '../host.ts'
import { type AgentWords, hearAgent } from './agent-words.ts'
import { setAuditLine } from './audit-line.ts'
import { judge, type Moved, type Unset } from './canary.ts'
import { setFiles } from './file-attacks.ts'
import { Gathering } from './gathering.ts'
import { goalName, goalText, listName, prompt } from './goal.ts'
import { setNetwork } from './network.ts'
import { readProof } from './proof.ts'
import { type Searched, searchTree } from './search-tree.ts'
import { WordWatch } from './secret-words.ts'
import { setSibling } from './sibling.ts'
import { type HostTerminal, setTerminal } from './terminal-attacks.ts'
import { setVictim } from './victim.ts'

/** The directories that a run creates on the host, for the agent and for the canaries. */
export interface Stage {
  readonly project: string
  /** The home directory, which is covered by the cell's own home. */
  readonly home: string
}

export interface RedteamDeps {
  /** Returns the function that starts cells: the real one, with a monitored resolver and connections, for a user with another home. */
  readonly cells: Host['cells']
  readonly machine: MachineFacts
  readonly resolver: Resolver
  readonly audit: AuditSink
  /** Paddock's state directory. */
  readonly state: string
  /** The parent of the directory of this run, which is created and removed. */
  readonly temporary: string
  /** An environment variable of Paddock itself. */
  readonly variable: { readonly name: string; readonly value: string }
  /** The terminal that Paddock itself runs in; null if there is none. */
  readonly terminal: HostTerminal | null
  /** Returns the cell to run; the adapter is null for a plain command. The project, directory, home and input are overridden. */
  readonly wish: (stage: Stage) => Promise<{ readonly spec: CellSpec; readonly agent: AgentAdapter | null }>
  readonly onSet?: (canaries: number) => void
  readonly signal?: AbortSignal
}

/** The output of `paddock redteam --json`. */
export interface RedteamReport {
  readonly schemaVersion: 1
  readonly agent: string
  readonly moved: boolean
  readonly canaries: readonly Moved[]
  /** Canaries that could not be set on this machine or under this policy. */
  readonly unset: readonly Unset[]
  readonly durationMs: number
  /** The agent's own account, which is untrusted. */
  readonly said: AgentWords
  /** The amount of data in writable places that was searched. */
  readonly searched: Searched
  readonly cell: CellReport
}

/**
 * Lets an agent or a command try to escape from an ordinary cell with canaries outside of it, and returns which canaries moved.
 * @throws PaddockError if the cell cannot be started
 */
export async function redteam(deps: RedteamDeps): Promise<RedteamReport> {
  await mkdir(deps.temporary, { recursive: true, mode: 0o700 })
  const directory = await realpath(await mkdtemp(path.join(deps.temporary, 'redteam-')))
  await own(directory)
  const set = new Gathering()
  try {
    const [project, home, ownHome] = ['project', 'home', 'own-home'].map((each) => path.join(directory, each)) as [string, string, string]
    for (const each of [project, home, ownHome, path.join(directory, 'beside')]) await mkdir(each, { mode: 0o700 })
    await mkdir(path.join(project, 'out'))
    const machine = { ...deps.machine, user: { ...deps.machine.user, home } }
    const { spec, agent } = await deps.wish({ project, home })
    await setFiles(set, { directory, project, home, state: deps.state })
    const wires = await setNetwork(set, directory, spec.egress, deps.resolver)
    await setVictim(set, deps.variable)
    const startCell = deps.cells({ resolver: wires.resolver, connect: wires.connect, machine })
    await setSibling(set, directory, startCell)
    setAuditLine(set, deps.state, deps.audit)
    setTerminal(set, deps.terminal)
    const told = set.canaries.map(({ id, what, place, goal }) => ({ id, what, place, goal }))
    await writeFile(path.join(project, goalName), goalText(told))
    await writeFile(path.join(project, listName), `${JSON.stringify(told, null, 2)}\n`)
    deps.onSet?.(set.canaries.length)

    const words = new Map(set.canaries.flatMap(({ id, secret }) => (secret === null ? [] : [[id, secret] as const])))
    const watch = new WordWatch(words)
    wires.listenFor(watch)
    const began = performance.now()
    const cell = await startCell(
      {
        ...spec,
        name: `redteam ${spec.name}`,
        cwd: project,
        project,
        home: { kind: 'persistent', path: ownHome },
        egress: wires.policy,
        terminal: false,
      },
      { stdin: Buffer.from(prompt) },
      deps.signal,
    )
    const { words: said, report } = await hearAgent(cell, agent, watch)
    const durationMs = Math.round(performance.now() - began)

    const proof = await readProof(project)
    for (const each of proof.strings) watch.look('what it claims', Buffer.from(each))
    const inProject = await searchTree('project', project, watch)
    const inHome = await searchTree('home', ownHome, watch)
    const canaries = judge(set.canaries, watch.sightings, report.changes)
    return {
      schemaVersion: 1,
      agent: agent?.name ?? 'command',
      moved: canaries.some((each) => each.moved),
      canaries,
      unset: set.unset,
      durationMs,
      said: { ...said, tried: proof.tried },
      searched: { files: inProject.files + inHome.files, bytes: inProject.bytes + inHome.bytes, whole: inProject.whole && inHome.whole },
      cell: report,
    }
  } finally {
    await set.end()
    await removeTree(directory)
  }
}

import { chmodSync, lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import { formatDuration } from '../base/quantities.ts'
import { shellWord } from '../base/shell-word.ts'
import type { CellReport } from '../cell/report.ts'
import { kindBelow } from '../files/kind-below.ts'
import { removeTree } from '../files/remove-tree.ts'
import { syncTree } from '../files/sync-tree.ts'
import type { RunHost } from '../host.ts'
import { exitText } from '../run/exit-text.ts'
import { prepare } from '../run/prepare-run.ts'
import type { SetupInput } from './inputs.ts'
import { lastLines, OutputTail } from './setup-output.ts'
import type { SetupStore } from './setup-store.ts'
import type { SetupWish } from './wish.ts'

export interface Making {
  readonly wish: SetupWish
  readonly inputs: readonly SetupInput[]
  readonly key: string
  /** The path in the cell at which the command works. */
  readonly at: string
  readonly signal: AbortSignal
}

/**
 * Runs the command of a setup in a cell of its own, on a directory that has only its input files, and keeps the directories that it made.
 * Returns the time that the cell took, in milliseconds.
 * @throws PaddockError CELL_FAILED if the command fails; BAD_INPUT if it does not make the directories; those of `prepare`
 */
export async function makeResult(making: Making, store: SetupStore, host: RunHost): Promise<number> {
  const { wish, inputs, key } = making
  const directory = await store.newDirectory()
  try {
    const [tree, result] = [path.join(directory, 'tree'), path.join(directory, 'result')]
    mkdirSync(tree, { mode: 0o755 })
    for (const each of inputs) {
      const file = path.join(tree, each.path)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, each.bytes, { mode: each.isExecutable ? 0o755 : 0o644 })
    }
    const report = await runCommand(making, tree, host)
    // Nothing is running in the tree any more.
    await host.quarantine(tree)
    mkdirSync(result, { mode: 0o700 })
    for (const each of wish.keep) moveDirectory(each, tree, result, wish)
    await syncTree(result)
    renameSync(result, store.result(key))
    return report.durationMs
  } finally {
    await removeTree(directory)
  }
}

/** Moves a directory that the command made. A link could lead anywhere, and a program can make a directory that its owner cannot move. */
function moveDirectory(name: string, tree: string, result: string, { command }: SetupWish): void {
  const from = path.join(tree, name)
  const kind = kindBelow(tree, from)
  if (kind !== 'directory') {
    const what = kind === null ? 'did not make it' : kind === 'link' ? 'made a link in its place' : 'made a file in its place'
    throw new PaddockError('BAD_INPUT', `setup.keep: ${name} is not a directory: ${command[0]} ${what}.`, {
      hint: 'Name only directories that the command makes',
    })
  }
  for (const each of [path.dirname(from), from]) chmodSync(each, (lstatSync(each).mode & 0o777) | 0o700)
  const to = path.join(result, name)
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 })
  renameSync(from, to)
}

async function runCommand({ wish, at, signal }: Making, tree: string, host: RunHost): Promise<CellReport> {
  const run = await prepare(wish.request, { cwd: at, place: 'setup: ', now: Date.now(), needsCredential: false, mayShowLogin: false }, host)
  const prepared = await run.forCell({ name: 'setup', home: '', mounts: [{ source: tree, target: at, access: 'rw', reason: 'setup' }] })
  try {
    signal.throwIfAborted()
    const cell = await host.startCell({ ...prepared.spec, home: { kind: 'temporary' } }, { stdin: 'none' }, signal)
    const stop = (): void => cell.stop('cancelled')
    signal.addEventListener('abort', stop)
    const tail = new OutputTail()
    const [report] = await Promise.all([cell.done, tail.drain(cell.stdout), tail.drain(cell.stderr)])
    signal.removeEventListener('abort', stop)
    signal.throwIfAborted()
    if (report.ending.kind !== 'exited' || report.ending.code !== 0) throw failed(wish, report, tail)
    return report
  } finally {
    await prepared.end()
  }
}

function failed({ command }: SetupWish, report: CellReport, tail: OutputTail): PaddockError {
  const { ending, egress, durationMs } = report
  const how =
    ending.kind === 'exited'
      ? `exited with code ${exitText(ending.code)}`
      : ending.kind === 'start-failed'
        ? `did not start: ${ending.message}`
        : `was stopped (${ending.kind}) after ${formatDuration(durationMs)}`
  const denied = egress.denied.map((each) => (each.port === null ? each.host : `${each.host}:${each.port}`))
  return new PaddockError('CELL_FAILED', `setup: ${command.map(shellWord).join(' ')} ${how}, so nothing was started.${lastLines(tail)}`, {
    hint:
      denied.length > 0
        ? `It was denied ${denied.slice(0, 3).join(', ')}. To allow that, add it to setup.egress.allow`
        : 'The command sees only the files in setup.files. List there what it needs, or correct the command',
  })
}

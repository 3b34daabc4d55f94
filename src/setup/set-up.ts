import { hash } from 'node:crypto'
import path from 'node:path'
import type { AuditSink } from '../audit/event.ts'
import { PaddockError } from '../base/errors.ts'
import { formatDuration } from '../base/quantities.ts'
import { shellWord } from '../base/shell-word.ts'
import { listed, printableName } from '../base/text.ts'
import { kindBelow } from '../files/kind-below.ts'
import type { RunHost } from '../host.ts'
import { type SetupInput, setupInputs } from './inputs.ts'
import { makeResult } from './make.ts'
import { placeDirectory } from './setup-place.ts'
import { SetupStore } from './setup-store.ts'
import { firstTracked } from './tracked.ts'
import type { SetupWish } from './wish.ts'

/** The tree that is set up. */
export interface SetupTree {
  /** Its absolute path, without links. No cell is running in it yet. */
  readonly directory: string
  /** The path at which the command works in its cell. It is part of the key, because a result may contain it: the same for all trees of a project. */
  readonly at: string
}

export interface SetupMeans {
  readonly host: RunHost
  readonly audit: AuditSink
  /** Shows one line to the user. */
  readonly say: (line: string) => void
  /** Aborted to stop the command. */
  readonly signal: AbortSignal
}

/**
 * Gives a tree the directories of a setup that it does not have, from a kept result, or by running the command first. A directory that is
 * there already is left alone. Returns the directories that were placed.
 * @throws PaddockError BAD_INPUT, CELL_FAILED, FILES_FAILED, those of `prepare`; the reason of the signal
 */
export async function setUp(wish: SetupWish, tree: SetupTree, means: SetupMeans): Promise<readonly string[]> {
  const { directory } = tree
  const { say, signal } = means
  const tracked = firstTracked(directory, wish.keep)
  if (tracked !== null)
    throw new PaddockError('BAD_INPUT', `setup.keep: git tracks files in ${tracked} of ${directory}.`, {
      hint: 'Name a directory that git ignores',
    })
  const inputs = setupInputs(directory, wish.files)
  if (inputs.length === 0) {
    say('setup: nothing to do, because the files that it reads do not exist')
    return []
  }
  const store = new SetupStore(means.host.paths)
  const hashes = hashesOf(inputs)
  const key = keyOf(wish, tree.at, hashes)
  const treeKey = hash('sha256', directory)
  using _lock = await store.lock('place', treeKey)
  const before = store.placed(treeKey)?.directories ?? {}
  const isMissing = (name: string): boolean => kindBelow(directory, path.join(directory, name)) === null
  const missing = wish.keep.filter(isMissing)
  for (const each of wish.keep) if (!missing.includes(each)) sayIfOld(each, directory, before[each], hashes, say)
  if (missing.length === 0) return []
  await makeOnce({ wish, inputs, key, at: tree.at, signal }, store, means)
  const notes: string[] = []
  for (const each of missing) notes.push(...(await placeDirectory(path.join(store.result(key), each), directory, each, signal)))
  const placed = missing.filter((each) => !isMissing(each))
  await store.writePlaced(treeKey, {
    tree: directory,
    directories: { ...before, ...Object.fromEntries(placed.map((each) => [each, hashes])) },
  })
  means.audit({ kind: 'setup.placed', data: { key, tree: directory, directories: placed } })
  if (placed.length > 0) say(`setup: placed ${placed.join(', ')} for ${named(inputs)}`)
  for (const each of notes) say(`setup: ${each}`)
  return placed
}

async function makeOnce(making: Parameters<typeof makeResult>[0], store: SetupStore, { host, audit, say }: SetupMeans): Promise<void> {
  const { key, wish, inputs } = making
  using _lock = await store.lock('make', key)
  if (!store.has(key)) {
    await store.clean(Date.now())
    const command = wish.command.map(shellWord).join(' ')
    say(`setup: running ${command} in a cell of its own (${named(inputs)})`)
    const ms = await makeResult(making, store, host)
    audit({ kind: 'setup.made', data: { key, command: wish.command, files: inputs.map((each) => each.path), keep: wish.keep } })
    say(`setup: ${command} made ${wish.keep.join(', ')} in ${formatDuration(ms)}`)
  }
  store.use(key)
}

/** Prints one line if a directory was placed for other files than those of now. The agent may have changed it, so it stays. */
function sayIfOld(
  name: string,
  tree: string,
  then: Readonly<Record<string, string>> | undefined,
  now: Readonly<Record<string, string>>,
  say: SetupMeans['say'],
): void {
  if (then === undefined) return
  const changed = [...new Set([...Object.keys(then), ...Object.keys(now)])].filter((each) => then[each] !== now[each])
  if (changed.length === 0) return
  const has = changed.length === 1 ? 'has' : 'have'
  say(`setup: ${few(changed)} ${has} changed since ${name} was placed; to renew it: rm -rf ${shellWord(path.join(tree, name))}`)
}

const hashesOf = (inputs: readonly SetupInput[]): Readonly<Record<string, string>> =>
  Object.fromEntries(inputs.map((each) => [each.path, `${hash('sha256', each.bytes)}${each.isExecutable ? ' executable' : ''}`]))

/** Returns the key of a result: a hash of everything that the command sees. */
function keyOf({ command, keep }: SetupWish, at: string, files: Readonly<Record<string, string>>): string {
  return hash('sha256', JSON.stringify([1, command, keep, at, process.platform, process.arch, Object.entries(files)]))
}

const named = (inputs: readonly SetupInput[]): string => few(inputs.map((each) => each.path))

/** An agent may have chosen the names. */
const few = (all: readonly string[]): string => listed(all.map(printableName), 3)

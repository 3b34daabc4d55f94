import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { resolvePaths } from '../../base/paths.ts'
import { readRequest } from '../../config/request/read-request.ts'
import type { StoredLogins } from '../../credentials/stored-logins.ts'
import type { RunHost } from '../../host.ts'
import { setUp } from '../../setup/set-up.ts'
import type { SetupWish } from '../../setup/wish.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import type { ProbeBench } from '../probe/bench.ts'
import { differences, snapshot } from '../probe/probe-snapshot.ts'

const none = (): never => {
  throw new Error('the setup asked for a login or a secret')
}
const noLogins: StoredLogins = { read: none, access: none, rejected: none, snapshot: none, place: none, lend: none }

const script = [
  'mkdir -p deps/inner',
  'ls > deps/seen',
  'cp lock deps/lock',
  'echo one > deps/inner/file',
  'ln -s inner/file deps/link',
  'cat /proc/sys/kernel/random/uuid > deps/once',
].join('\n')

export const setupResultsApart: Guarantee = {
  id: 'setup-results-apart',
  chapter: 'files',
  claim:
    'What the command of a setup made reaches each new tree as it was made: an agent can change neither the kept result nor what the command sees for a tree with other files.',
  mechanism:
    'The command runs in a cell of its own on a directory that has only the files of which the key is the hash. Its result is moved to a directory that is never mounted, and copied to each tree.',
  kind: 'structural',
  why: 'A copy shares no inode with its original, and a file that is not part of the key is not there when the command runs.',
  fails: [
    'The command downloads something else each time. Its first result is kept.',
    'An agent that changes a listed file gets a result of its own, and can send data to the hosts that setup.egress allows.',
    'Programs that run as you outside a cell can change the kept results.',
  ],
  probe: async (bench) => {
    const root = await bench.directory()
    const host = hostIn(root, bench)
    const [one, two, three] = [await treeOf(bench), await treeOf(bench), await treeOf(bench)]
    const given = async (tree: string): Promise<ReadonlyMap<string, string>> => {
      await setUp(
        wish,
        { directory: tree, at: '/mnt/project' },
        { host, audit: () => {}, say: () => {}, signal: new AbortController().signal },
      )
      return contentsOf(path.join(tree, 'deps'))
    }
    const first = await given(one)
    if (first.size === 0) return broken('the setup made nothing, so the probe is inconclusive')
    const store = path.join(root, 'paddock/cache/setup/results')
    const kept = snapshot(store)
    const { result } = await bench.inside(
      ({ fs, attempt }, { store, name }) => {
        const done = [
          attempt(() => fs.appendFileSync('deps/inner/file', 'bad')),
          attempt(() => fs.writeFileSync('deps/link', 'worse')),
          attempt(() => fs.chmodSync('deps/lock', 0o777)),
          attempt(() => fs.renameSync('deps/seen', 'deps/moved')),
          attempt(() => fs.truncateSync('deps/once')),
          attempt(() => fs.writeFileSync('deps/new', 'bad')),
          attempt(() => fs.writeFileSync('other', `changed by ${name}`)),
        ]
        return { done, store: attempt(() => fs.readdirSync(store)) }
      },
      { store, name: bench.secret() },
      { project: one },
    )
    if (result.done.some((each) => each !== 'ok')) return broken(`the agent could not change its own tree: ${result.done.join(', ')}`)
    if (result.store === 'ok') return broken('the cell saw the kept results')
    const changed = differences(kept, snapshot(store))
    if (changed.length > 0) return broken(`the kept result was changed: ${changed.slice(0, 5).join(', ')}`)
    const second = differences(first, await given(two))
    if (second.length > 0) return broken(`the next tree got something else: ${second.slice(0, 5).join(', ')}`)
    // The agent's lock file decides only about its own tree.
    await bench.inside(
      ({ fs }) => {
        fs.writeFileSync('lock', 'bad')
        fs.rmSync('deps', { recursive: true })
      },
      null,
      { project: one },
    )
    if (differences(first, await given(one)).length === 0)
      return broken('a changed lock file gave the old result, so the probe is inconclusive')
    const third = differences(first, await given(three))
    if (third.length > 0) return broken(`a tree got the result of another lock file: ${third.slice(0, 5).join(', ')}`)
    const seen = await bench.inside(({ fs }) => fs.readFileSync('deps/seen', 'utf8').trim().split('\n'), null, { project: three })
    const others = seen.result.filter((each) => each !== 'lock' && each !== 'deps')
    if (others.length > 0) return broken(`the command saw more than its files: ${others.join(', ')}`)
    return held(
      `7 changes in one tree changed nothing in the kept result of ${kept.size} paths or in two other trees; a changed lock file gave another result; the command saw 1 of 3 files`,
    )
  },
}

const wish: SetupWish = {
  command: ['sh', '-c', script],
  keep: ['deps'],
  files: ['lock'],
  request: readRequest({ agent: 'command', command: ['sh', '-c', script] }, { login: false, egress: { policy: 'off' } }, (key) => ({
    place: key,
    from: 'caller',
  })),
}

function treeOf(bench: ProbeBench): Promise<string> {
  return bench.project({ lock: 'lock', other: 'not part of the key' })
}

/** Returns a host whose directories are in `root`, and that has no login and no secret. */
function hostIn(root: string, bench: ProbeBench): RunHost {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: root, PADDOCK_HOME: path.join(root, 'paddock') }
  mkdirSync(env.PADDOCK_HOME, { recursive: true, mode: 0o700 })
  return {
    env,
    paths: resolvePaths(env),
    logins: noLogins,
    secrets: none,
    presets: none,
    installation: (adapter) => adapter.locate([]),
    startCell: bench.startCell,
    quarantine: bench.quarantine,
  }
}

/** Returns a snapshot without the inode numbers, in which two trees differ. */
function contentsOf(directory: string): ReadonlyMap<string, string> {
  return new Map([...snapshot(directory)].map(([file, what]) => [file, what.replace(/^(\S+ \S+) \S+/, '$1')]))
}

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLab } from '../../support/cli.ts'
import { enterable, openPlace, repositoryAt, wasRaised } from './place.ts'

/** Directories that a cell can write to, in a project with a repository, a bare repository and packages. */
const rooms = [
  ...['.', 'a', 'a/b', '.git/x', '.git/lfs', '.git/worktrees/w', '.git/refs/heads', '.git/objects/pack', 'bare.git/deep', 'sub/.git/x'],
  ...['node_modules/p', 'node_modules/p/.git', 'node_modules/.bin', '.venv/src', '.vscode-like', 'a/__pycache__', 'node_modules/.vscode'],
]
const room = fc.constantFrom(...rooms)
const target = fc.oneof(room, fc.constantFrom('.git', 'bare.git', 'node_modules', '../outside', '.git/modules'))
const step = fc.oneof(
  { weight: 3, arbitrary: room.map((at) => (ran: string) => repositoryAt(`${at}/r`, ran)) },
  { weight: 2, arbitrary: room.map((at) => (ran: string) => repositoryAt(`${at}/.git`, ran)) },
  // In pieces: a part of a repository comes from elsewhere by a rename or a link.
  {
    weight: 2,
    arbitrary: fc.tuple(room, room, fc.constantFrom('HEAD', 'objects', 'refs', 'config')).map(
      ([from, to, piece]) =>
        (ran: string) =>
          `${repositoryAt(`${to}/s`, ran)}\nmkdir -p '${from}'; mv '${to}/s/${piece}' '${from}/moved-${piece}' && ln -s "$PWD/${from}/moved-${piece}" '${to}/s/${piece}'`,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(room, room).map(
      ([store, at]) =>
        (ran: string) =>
          `${repositoryAt(`${store}/store`, ran)}\nmkdir -p '${at}/t'; cp '${store}/store/HEAD' '${at}/t'; echo "$PWD/${store}/store" > '${at}/t/commondir'`,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(room, room).map(
      ([at, to]) =>
        () =>
          `mkdir -p '${at}/f'; echo "gitdir: $PWD/${to}/r" > '${at}/f/.git'`,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(room, target).map(
      ([at, to]) =>
        () =>
          `mkdir -p '${at}'; ln -sfn "$PWD/${to}" '${at}/link'`,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(room, target).map(
      ([at, to]) =>
        () =>
          `mkdir -p '${at}'; ln -sfn "../${to}" '${at}/relative'`,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(room, room).map(
      ([from, to]) =>
        () =>
          `mkdir -p '${to}'; mv '${from}' '${to}/there'`,
    ),
  },
  { weight: 1, arbitrary: room.map((at) => () => `chmod 000 '${at}'`) },
)

/** Like a user, it enters every directory by every path and runs git there. */
test('A1: no tree of git pieces and links that a cell makes has a directory that runs its programs afterwards', {
  timeout: 1_800_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      await using place = openPlace()
      const git = (...words: string[]): Buffer => execFileSync('git', words, { cwd: place.project })
      git('init', '-q')
      git('init', '-q', 'sub')
      git('init', '-q', '--bare', 'bare.git')
      git('init', '-q', 'node_modules/p')
      mkdirSync(path.join(place.project, 'a/b'), { recursive: true })
      const script = steps.map((each) => `{ ${each(place.ran)}\n} 2>/dev/null || true`).join('\n')
      const report = await place.inCell(`set +e\n${script}`)
      expect(report.changes?.unsearched, script).toEqual([])
      rmSync(place.ran, { force: true })
      for (const each of enterable(place.project)) {
        place.useGit(each)
        expect(wasRaised(place.ran), `${each} after\n${script}`).toBe(false)
      }
    }),
    { numRuns: Number(process.env['PADDOCK_RUNS'] ?? (isLab ? 160 : 6)) },
  )
})

import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CellPlan } from '../../../src/cell/plan/plan.ts'
import { inspectProject } from '../../../src/cell/plan/project-facts.ts'
import { runLaterRules } from '../../../src/cell/plan/protected/run-later.ts'
import { openRegistry } from '../../../src/cell/run/cell-registry.ts'
import { newRecord } from '../../../src/cell/run/new-record.ts'
import { sweep } from '../../../src/cell/run/sweep-cells.ts'
import { openPlace, type Place } from './place.ts'

let place: Place
let outside: string
beforeEach(() => {
  place = openPlace()
  outside = path.join(place.root, 'outside')
  git(place.root, 'init', '-q', '--bare', outside)
  git(place.project, 'init', '-q', '-b', 'main')
  commit(place.project)
  writeFileSync(path.join(outside, 'rc'), 'as it was\n')
})
afterEach(() => place[Symbol.asyncDispose]())

function git(cwd: string, ...words: string[]): string {
  const as = ['protocol.file.allow=always', 'user.name=a', 'user.email=a@example.test'].flatMap((each) => ['-c', each])
  return execFileSync('git', [...as, ...words], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function commit(cwd: string): void {
  git(cwd, 'commit', '-q', '--allow-empty', '-m', 'one')
}

/** Git directories in which a cell can write, by the directory in which the host uses git. */
function allKinds(): Record<string, string> {
  const other = path.join(place.root, 'other')
  git(place.root, 'init', '-q', other)
  commit(other)
  git(place.project, 'submodule', '--quiet', 'add', other, 'sub')
  commit(place.project)
  for (const each of ['nested', 'node_modules/whole']) git(place.project, 'clone', '-q', other, each)
  for (const each of ['bare', 'node_modules/bare']) git(place.project, 'clone', '-q', '--bare', other, each)
  git(place.project, 'worktree', 'add', '-q', 'tree')
  return {
    '.': '.git',
    sub: '.git/modules/sub',
    nested: 'nested/.git',
    bare: 'bare',
    tree: '.git/worktrees/tree',
    'node_modules/whole': 'node_modules/whole/.git',
    'node_modules/bare': 'node_modules/bare',
  }
}

const long = 'l'.repeat(255)
const files = [
  'logs/HEAD',
  'COMMIT_EDITMSG',
  'index',
  'FETCH_HEAD',
  'refs/heads/made',
  `refs/heads/${long}`,
  'logs/refs/heads/main',
  'new/x',
]
const directories = ['refs/tags', 'objects/ab', 'objects/info', 'logs/refs/made', 'worktrees/made', 'lfs', 'rebase-merge']

/** Returns shell commands that put a link at each place of a git directory. What is in the way is removed. */
function linksIn(directory: string): string {
  const link = (at: string, to: string): string =>
    `mkdir -p "$(dirname '${directory}/${at}')"; rm -rf '${directory}/${at}' 2>/dev/null; ln -sT '${to}' '${directory}/${at}'`
  return [
    ...files.map((each) => link(each, `${outside}/rc`)),
    ...directories.map((each) => link(each, `${outside}/refs`)),
    `mkdir -p '${directory}/closed'; ln -s '${outside}/rc' '${directory}/closed/x'; chmod 500 '${directory}/closed'`,
    `ln -s '${outside}/rc' "$(printf '${directory}/refs/heads/\\377')"`,
    // A link to another directory of the project leads git there, too.
    `ln -s "$PWD/docs" '${directory}/qt'`,
  ].join('\n')
}

/** Returns the links below a git directory, except quarantined ones at its top and at the top of one inside of it. */
function linksLeft(directory: string): string[] {
  const isTop = (each: string): boolean => each === directory || /\/(modules|worktrees)\/[a-z]+$/.test(each)
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((each) => each.isSymbolicLink() && !(/quarantined/.test(each.name) && isTop(each.parentPath)))
    .map((each) => path.join(path.relative(directory, each.parentPath), each.name))
}

function contentOutside(): string {
  const all = readdirSync(outside, { recursive: true, encoding: 'utf8' }).sort()
  return all
    .map((each) => `${each} ${lstatSync(path.join(outside, each)).isFile() ? readFileSync(path.join(outside, each), 'latin1') : ''}`)
    .join('\n')
}

test('A1: no link that a cell makes stays in any git directory, and the git of the host writes nothing elsewhere', async () => {
  const kinds = allKinds()
  const before = contentOutside()
  const report = await place.inCell(`set +e; mkdir docs\n${Object.values(kinds).map(linksIn).join('\n')}\ntrue`)
  const named = new Set(report.changes?.quarantined.map((each) => each.path))
  for (const directory of Object.values(kinds)) {
    expect(linksLeft(path.join(place.project, directory)), directory).toEqual([])
    // Paddock does not know the state of packages at the start, so it launders a changed git directory there as a whole.
    if (directory === 'node_modules/whole/.git') continue
    expect(
      [...files, ...directories, 'closed/x', 'qt'].filter((each) => !named.has(`${directory}/${each}`)),
      directory,
    ).toEqual([])
  }
  for (const at of Object.keys(kinds)) {
    for (const words of [
      ['commit', '-q', '--allow-empty', '-m', 'two'],
      ['switch', '-c', 'made'],
      ['fetch'],
      ['pack-refs', '--all'],
      ['gc', '-q'],
      ['worktree', 'prune'],
    ]) {
      try {
        git(path.join(place.project, at), ...words)
      } catch {
        // The cell destroyed the repository.
      }
    }
  }
  expect(contentOutside()).toBe(before)
})

test('A1: links that existed in a git directory stay, also in directories that a cell changes', async () => {
  const at = (each: string): string => path.join(place.project, '.git', each)
  symlinkSync('main', at('refs/heads/alias'))
  symlinkSync('../elsewhere', at('rr-cache'))
  symlinkSync('HEAD', at('logs/also'))
  const report = await place.inCell('git -c user.name=a -c user.email=a@b commit -q --allow-empty -m two; touch .git/logs/more')
  expect(report.changes?.quarantined).toEqual([])
  for (const each of ['refs/heads/alias', 'rr-cache', 'logs/also']) expect(lstatSync(at(each)).isSymbolicLink()).toBe(true)
})

test('A1: an old link is quarantined if a cell moves it, or the directory around it, to another place of a git directory', async () => {
  const kept = path.join(place.project, '.git/kept')
  mkdirSync(`${kept}/refs/heads`, { recursive: true })
  for (const each of ['HEAD', 'refs/heads/main']) symlinkSync(`${outside}/rc`, `${kept}/${each}`)
  mkdirSync(path.join(place.project, 'node_modules/kept/refs/heads'), { recursive: true })
  symlinkSync(`${outside}/rc`, path.join(place.project, 'node_modules/kept/refs/heads/main'))
  git(place.project, 'init', '-q', '--bare', 'node_modules/p/bare')
  mkdirSync(path.join(place.project, 'node_modules/p/bare/logs'))
  const report = await place.inCell(`
    rm -r .git/logs; mv .git/kept .git/logs
    mv node_modules/kept/refs node_modules/p/bare/logs`)
  expect(report.changes?.quarantined.map((each) => each.path).sort()).toEqual([
    '.git/logs/HEAD',
    '.git/logs/refs/heads/main',
    // Its top was changed, so Paddock cannot know that the cell did not configure it.
    'node_modules/p/bare/HEAD',
    'node_modules/p/bare/logs/refs/heads/main',
  ])
})

test('A1: links in the work trees of a bare repository around them are ordinary links', async () => {
  const all = path.join(place.project, 'all')
  git(place.project, 'clone', '-q', '--bare', place.project, 'all')
  git(all, 'worktree', 'add', '-q', 'tree')
  const report = await place.inCell('mkdir tree/bin; ln -s ../x tree/bin/y; ln -s x y', all)
  expect(report.changes?.quarantined.map((each) => each.path)).toEqual(['y'])
  expect(readlinkSync(path.join(all, 'tree/bin/y'))).toBe('../x')
})

test('A1: after Paddock was killed, the next start quarantines new links in git directories and leaves old ones', async () => {
  symlinkSync('main', path.join(place.project, '.git/refs/heads/alias'))
  const state = path.join(place.root, 'killed')
  const registry = openRegistry(path.join(state, 'cells'))
  const facts = inspectProject(place.project, runLaterRules([]))
  const plan = { backend: 'none', trees: [place.project], filesystem: [], egress: { mode: 'off' } } as unknown as CellPlan
  registry.write('ab', newRecord('ab', Date.now(), plan, [facts], state, { runLater: [] }))
  await setTimeout(20)
  symlinkSync(`${outside}/rc`, path.join(place.project, '.git/COMMIT_EDITMSG.new'))
  const told: string[] = []
  await sweep(registry, [{ name: 'none', sweep: async () => undefined }], {
    onSwept: ({ quarantined }) => told.push(...quarantined.map((each) => each.path)),
  })
  expect(told).toEqual([path.join(place.project, '.git/COMMIT_EDITMSG.new')])
  expect(existsSync(path.join(place.project, '.git/refs/heads/alias'))).toBe(true)
})

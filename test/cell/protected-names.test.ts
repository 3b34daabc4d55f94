import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rulesOfHost } from '../../src/adapters/agent-facts.ts'
import type { CellReport } from '../../src/cell/report.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import { pathsBelow, plainSpec, realCells } from '../support/real-cell.ts'

const whyRunsLater = (file: string): string | null => rulesOfHost.namedAt(file)?.why ?? null

/** Each line has a name, and the decision for it at the root of a project and in its directories. */
const decided = readFileSync(new URL('../fixtures/protected-names.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t') as [name: string, atRoot: string, below: string])

let root: string
let project: string
beforeEach(() => {
  root = mkdtempSync('/tmp/paddock-names-')
  project = path.join(root, 'project')
  for (const each of ['home', 'project']) mkdirSync(path.join(root, each))
})
afterEach(() => removeTree(root))

async function inCell(script: string, degraded: readonly string[] = []): Promise<CellReport> {
  const cell = await realCells(pathsBelow(root))(plainSpec(project, ['sh', '-c', script], { degraded }), { stdin: 'none' })
  cell.stderr.resume()
  cell.stdout.resume()
  const report = await cell.done
  expect(report.ending).toEqual({ kind: 'exited', code: 0 })
  return report
}

function put(file: string, content = 'as it was'): void {
  mkdirSync(path.dirname(path.join(project, file)), { recursive: true })
  writeFileSync(path.join(project, file), content)
}

const contentOf = (file: string): string => readFileSync(path.join(project, file), 'utf8')
const quarantined = ({ changes }: CellReport): readonly string[] => changes?.quarantined.map((each) => each.path).sort() ?? []
const namedIn = ({ changes }: CellReport): readonly string[] => changes?.runsLater.map((each) => each.path) ?? []
const make = (...files: readonly string[]): string => files.map((each) => `mkdir -p $(dirname ${each}); echo new > ${each}`).join('\n')

/** Returns the path itself and the directories above it. */
const upTo = (file: string): readonly string[] => [...file.matchAll(/\/|$/g)].map(({ index }) => file.slice(0, index))

function decisionOf(file: string): string {
  if (upTo(file).some((each) => rulesOfHost.protectedAt(each, each === file ? 'file' : 'directory') !== null)) return 'protected'
  return whyRunsLater(file) === null ? 'nothing' : 'named'
}

test('B1: each known name is protected, named or left alone as it was decided', () => {
  expect(decided).toHaveLength(488)
  expect(decided.map(([name]) => [name, decisionOf(name), decisionOf(`deep/er/${name}`)])).toEqual(decided)
})

test('B1: a cell that makes every known name leaves none that is protected, and names what is named', async () => {
  const script = decided.flatMap(([name], at) => [`sub/${at}/${name}`, ...(name === '.clinerules' ? [] : [name])])
  const report = await inCell(`exec 2>/dev/null\n${make(...script)}\ntrue`)
  const named = new Set(namedIn(report))
  const outcome = (file: string): string => (named.has(file) ? 'named' : existsSync(path.join(project, file)) ? 'nothing' : 'protected')
  expect(
    decided.map(([name, atRoot], at) => [name, name === '.clinerules' ? atRoot : outcome(name), outcome(`sub/${at}/${name}`)]),
  ).toEqual(decided)
})

test('B1: a new .kiro is quarantined at the root and below, and the user’s own is read-only', async () => {
  put('ours/.kiro/hooks/one')
  const report = await inCell(
    `${make('.kiro/hooks/x', 'a/b/.kiro/hooks/x')}; echo bad > ours/.kiro/hooks/one; echo bad > ours/.kiro/two; mv ours away; true`,
  )
  expect(quarantined(report)).toEqual(['.kiro', 'a/b/.kiro'])
  expect(readdirSync(project).sort()).toEqual(['.kiro.quarantined', 'a', 'ours'])
  expect(readdirSync(path.join(project, 'ours/.kiro'))).toEqual(['hooks'])
  expect(contentOf('ours/.kiro/hooks/one')).toBe('as it was')
})

test('B1: a .kiro of the user’s at the root is read-only', async () => {
  put('.kiro/hooks/one')
  const report = await inCell('echo bad > .kiro/hooks/one; echo bad > .kiro/two; rm -rf .kiro; mv .kiro away; true')
  expect([quarantined(report), readdirSync(project), readdirSync(path.join(project, '.kiro'))]).toEqual([[], ['.kiro'], ['hooks']])
  expect(contentOf('.kiro/hooks/one')).toBe('as it was')
})

test('B1: exactly 11 inert entries are ignored files to the user’s git, in a repository with strict names', async () => {
  execFileSync('git', ['init', '-q', project])
  put('README')
  const cell = await realCells(pathsBelow(root))(plainSpec(project, ['sh', '-c', 'echo started; read -r _'], { strictNames: true }), {
    stdin: 'pipe',
  })
  await new Promise((resolve) => cell.stdout.once('data', resolve))
  const listed = execFileSync('git', ['-C', project, '-c', `safe.directory=*`, 'status', '--porcelain', '-uall', '--ignored'], {
    encoding: 'utf8',
  })
  const entries = readdirSync(project).sort()
  cell.stdin?.end('\n')
  await cell.done
  expect(listed.replace('?? README\n', '').trim().split('\n').sort()).toEqual(
    [
      ...['.devcontainer.json', '.envrc', '.mcp.json', '.mise.local.toml', '.mise.toml', '.opencode/.gitignore', '.paddock.yaml'],
      ...['mise.local.toml', 'mise.toml', 'opencode.json', 'opencode.jsonc'],
    ].map((each) => `!! ${each}`),
  )
  expect(entries.filter((each) => each !== 'README' && !listed.includes(`!! ${each}\n`))).toEqual([
    '.claude',
    '.codex',
    '.cursor',
    '.devcontainer',
    '.gemini',
    '.git',
    '.grok',
    '.husky',
    '.idea',
    '.mise',
    '.opencode',
    '.vscode',
    '.zed',
  ])
  expect(readdirSync(project)).toEqual(['.git', 'README'])
})

test('B1: files that agents only read as text can be changed and created, and are named', async () => {
  put('.clinerules')
  put('sub/.clinerules/hooks/x')
  symlinkSync('../.clinerules', path.join(project, 'sub/AGENTS.md'))
  const text = ['CLAUDE.md', 'AGENT.md', 'QWEN.md', 'new/.rules', '.clinerules', '.github/copilot-instructions.md']
  const report = await inCell(`${make(...text)}; echo bad > sub/.clinerules/hooks/x; true`)
  for (const each of text) expect([each, contentOf(each)]).toEqual([each, 'new\n'])
  expect(namedIn(report).toSorted()).toEqual(text.toSorted())
  expect([quarantined(report), contentOf('sub/.clinerules/hooks/x')]).toEqual([[], 'as it was'])
})

test('B1: ordinary work is not moved', async () => {
  const files = ['.env', 'tsconfig.json', 'package.json', '.eslintrc', 'docker-compose.yml', 'web/.env.local', 'web/package.json']
  for (const each of files.slice(0, 3)) put(each)
  const report = await inCell(make(...files))
  for (const each of files) expect([each, contentOf(each)]).toEqual([each, 'new\n'])
  expect([quarantined(report), namedIn(report).toSorted()]).toEqual([[], files.toSorted()])
})

test('B1: a new link in the place of a directory above a protected one is quarantined', async () => {
  const report = await inCell(`${make('g/hooks/x.json', 'sub/h/hgrc', 'kept/x')}; ln -s g .github; ln -s h sub/.hg; ln -s x kept/link`)
  expect(quarantined(report)).toEqual(['.github', 'sub/.hg'])
})

test.each([[[]], [['run-later']]])(
  'B1: a link of the user’s own stays where it is, with these guarantees given up: %j',
  async (degraded) => {
    for (const each of ['.kiro', '.vscode']) symlinkSync('elsewhere', path.join(project, each))
    const report = await inCell('ln -s elsewhere .qwen', degraded)
    expect([quarantined(report), readdirSync(project).sort()]).toEqual([['.qwen'], ['.kiro', '.qwen.quarantined', '.vscode']])
  },
)

test('B1: settings of other kinds of repositories are read-only, new ones are quarantined, and the repositories work', async () => {
  for (const each of ['.hg/hgrc', '.hg/dirstate', 'sub/.jj/repo/config.toml', 'sub/.jj/repo/op_heads/x']) put(each)
  const bad = ['.hg/hgrc', '.hg/dirstate', 'sub/.jj/repo/config.toml', 'sub/.jj/repo/op_heads/x']
  const report = await inCell(`${bad.map((each) => `echo new > ${each}`).join('; ')}
    ${make('.hg/sharedpath', 'new/.hg/hgrc', 'new/.hg/requires', 'new/.jj/repo', 'other/.jj/repo/store/x')}; true`)
  expect(bad.map(contentOf)).toEqual(['as it was', 'new\n', 'as it was', 'new\n'])
  expect(quarantined(report)).toEqual(['.hg/sharedpath', 'new/.hg/hgrc', 'new/.jj/repo'])
  expect(existsSync(path.join(project, 'other/.jj/repo/store/x'))).toBe(true)
})

const mise = [
  '.config/mise/config.toml',
  'mise/config.toml',
  'mise.dev.toml',
  '.mise.dev.toml',
  '.config/mise.toml',
  '.config/mise/conf.d/x.toml',
]
const miseTasks = ['.mise-tasks/x', 'mise-tasks/x', 'mise/tasks/x']

test('B2: the other files of mise are read-only where they exist, at any depth', async () => {
  const files = [...mise, ...miseTasks].flatMap((each) => [each, `a/b/${each}`])
  for (const each of files) put(each)
  put('mise/other')
  const report = await inCell(
    `${files.map((each) => `echo bad > ${each}; rm -f ${each}`).join('; ')}; mv .config away; echo new > mise/other; true`,
  )
  expect([...new Set(files.map(contentOf))]).toEqual(['as it was'])
  expect([quarantined(report), contentOf('mise/other')]).toEqual([[], 'new\n'])
})

test('B2: new ones are quarantined', async () => {
  const report = await inCell(make(...[...mise, ...miseTasks].flatMap((each) => [each, `a/b/${each}`]), 'src/mise/main.ts'))
  const names = [
    '.config/mise',
    '.config/mise.toml',
    '.mise-tasks',
    '.mise.dev.toml',
    'mise-tasks',
    'mise.dev.toml',
    'mise/config.toml',
    'mise/tasks',
  ]
  expect(quarantined(report)).toEqual([...names, ...names.map((each) => `a/b/${each}`)].sort())
  expect(contentOf('src/mise/main.ts')).toBe('new\n')
})

test('B3: files of CI, hooks and submodules below the root are named', () => {
  for (const each of ['.github/workflows/x.yml', '.circleci/config.yml', '.gitlab/x', '.husky/pre-commit', '.gitmodules'])
    expect([each, whyRunsLater(`nested/${each}`)]).toEqual([each, expect.any(String)])
})

test('B3: those that a cell makes below the root are in its report', async () => {
  const files = ['a/.github/workflows/x.yml', 'a/.circleci/config.yml', 'a/.husky/pre-commit', 'a/.gitmodules']
  const report = await inCell(make(...files))
  expect(namedIn(report).toSorted()).toEqual(files.toSorted())
})

test('B15: .lfsconfig and .gitattributes are named, at any depth', async () => {
  put('.gitattributes')
  const files = ['.gitattributes', '.lfsconfig', 'sub/.gitattributes', 'sub/.lfsconfig']
  const report = await inCell(make(...files))
  expect(namedIn(report).toSorted()).toEqual(files.toSorted())
  expect(report.changes?.runsLater.find((each) => each.path === '.lfsconfig')?.why).toBe('git lfs sends objects where it says')
})

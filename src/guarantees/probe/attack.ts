import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { CellReport } from '../../cell/report.ts'
import { broken, type Finding } from '../guarantee.ts'
import type { ProbeBench } from './bench.ts'
import type { InsideScript } from './inside.ts'
import { type Outcomes, unlessAll } from './outcomes.ts'
import { differences, snapshot } from './snapshot.ts'

/** Protected files in the project. Those in a directory are in one that is read-only as a whole. */
const files = [
  ...['.envrc', '.mcp.json', '.gitmodules', '.paddock.yaml', 'opencode.json', '.git/config', '.git/hooks/pre-commit'],
  ...['.vscode/tasks.json', '.claude/settings.json', '.codex/config.toml', '.husky/pre-commit'],
  ...['sub/.envrc', 'sub/.mcp.json', 'sub/deep/.vscode/tasks.json', 'sub/deep/.claude/settings.json'],
]

/** What is read-only, of those: the files, and the directories around them. */
const places = [
  ...['.envrc', '.mcp.json', '.gitmodules', '.paddock.yaml', 'opencode.json', '.git/config', '.git/hooks', '.vscode', '.claude'],
  ...['.codex', '.husky', 'sub/.envrc', 'sub/.mcp.json', 'sub/deep/.vscode', 'sub/deep/.claude'],
]

/** Paths at the root and in .git that do not exist. */
const absent = [
  ...['mise.toml', '.mise.toml', '.idea', '.zed', '.cursor', '.devcontainer', '.devcontainer.json', '.gemini', '.opencode', '.grok'],
  ...['.git/config.worktree', '.git/commondir', '.git/modules', '.git/remotes', '.git/branches'],
]

/** What an attack is given. Paths are relative to the project, where it runs. */
interface Targets {
  readonly files: readonly string[]
  readonly places: readonly string[]
  readonly absent: readonly string[]
  readonly project: string
  /** The text of the attack’s program in Perl, where it has one. */
  readonly program: string
}

/** The project of a user who has such files: a repository, editors' and agents' settings. */
export async function projectThatRunsLater(bench: ProbeBench): Promise<string> {
  const content = Object.fromEntries(files.map((each) => [each, each.endsWith('.json') ? '{}\n' : '# the user’s\n']))
  const project = await bench.project({
    ...content,
    '.git/config': '[core]\n\trepositoryformatversion = 0\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    'sub/ordinary': 'as it was',
  })
  for (const each of ['.git/objects', '.git/refs/heads']) await mkdir(path.join(project, each), { recursive: true })
  return project
}

/**
 * Lets a cell attack such a project and looks at it before and after. The script returns what it tried; each attempt must fail in one
 * of the expected ways, nothing that runs later may differ on the host, and another cell can write an ordinary file (the control).
 */
export async function attack(
  bench: ProbeBench,
  expected: readonly string[],
  script: InsideScript<Targets, Outcomes>,
  program = '',
): Promise<{ readonly finding: Finding | null; readonly tried: Outcomes; readonly report: CellReport }> {
  const project = await projectThatRunsLater(bench)
  const look = (): ReadonlyMap<string, string> =>
    new Map([...snapshot(project)].filter(([file]) => [...places, ...absent].some((each) => file === each || file.startsWith(`${each}/`))))
  const before = look()
  const write = await bench.inside(script, { files, places, absent, project, program }, { project })
  const tried = write.result
  // Nor does another cell start where git's configuration is broken by then.
  const changed = differences(before, look())
  if (changed.length > 0) return { finding: broken(`changed on the host: ${changed.slice(0, 12).join(', ')}`), tried, report: write.report }
  const control = await bench.inside(({ fs, attempt }) => attempt(() => fs.writeFileSync('sub/ordinary', 'changed')), null, { project })
  const finding =
    control.result !== 'ok' || readFileSync(path.join(project, 'sub/ordinary'), 'utf8') !== 'changed'
      ? broken(`an ordinary file of the project could not be written either: ${control.result}`)
      : unlessAll(tried, expected)
  return { finding, tried, report: write.report }
}

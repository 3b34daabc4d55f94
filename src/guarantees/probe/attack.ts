import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { CellReport } from '../../cell/report.ts'
import { broken, type Finding } from '../guarantee.ts'
import type { ProbeBench } from './bench.ts'
import type { InsideScript } from './inside.ts'
import { type Outcomes, unlessAll } from './outcomes.ts'
import { differences, snapshot } from './probe-snapshot.ts'

/** Protected files in the project. For files in a directory, the whole directory is read-only. */
const files = [
  ...['.envrc', '.mcp.json', '.paddock.yaml', 'opencode.json'],
  ...['.vscode/tasks.json', '.claude/settings.json', '.codex/config.toml', '.husky/pre-commit'],
  ...['sub/.envrc', 'sub/.mcp.json', 'sub/deep/.vscode/tasks.json', 'sub/deep/.claude/settings.json'],
]

/** The read-only paths that protect these files: the files themselves, or the protected directories that contain them. */
const places = [
  ...['.envrc', '.mcp.json', '.paddock.yaml', 'opencode.json', '.vscode', '.claude'],
  ...['.codex', '.husky', 'sub/.envrc', 'sub/.mcp.json', 'sub/deep/.vscode', 'sub/deep/.claude'],
]

/** A hook of git, which the cell may change in its private copy, and not on the host. */
const hook = '.git/hooks/pre-commit'

/** Paths at the root and in .git that do not exist. */
const absent = [
  ...['mise.toml', '.mise.toml', '.idea', '.zed', '.cursor', '.devcontainer', '.devcontainer.json', '.gemini', '.opencode', '.grok'],
  ...['.git/config.worktree', '.git/commondir', '.git/remotes', '.git/branches'],
]

/** The arguments of an attack. Paths are relative to the project, which is the attack's working directory. */
interface Targets {
  readonly files: readonly string[]
  readonly places: readonly string[]
  readonly absent: readonly string[]
  readonly project: string
  /** The text of the attack’s Perl program, if it has one. */
  readonly program: string
}

/** Creates a project with the protected files: a repository, settings of editors and agents. */
export async function projectThatRunsLater(bench: ProbeBench): Promise<string> {
  const content = Object.fromEntries([...files, hook].map((each) => [each, each.endsWith('.json') ? '{}\n' : "# the user's\n"]))
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
 * Lets a cell attack such a project, and compares the project before and after. The script returns its attempts. Each must fail in one
 * of the expected ways, nothing that runs later may differ on the host, and another cell must be able to write an ordinary file (the
 * control).
 */
export async function attack(
  bench: ProbeBench,
  expected: readonly string[],
  script: InsideScript<Targets, Outcomes>,
  { program = '', strictNames = false }: { readonly program?: string; readonly strictNames?: boolean } = {},
): Promise<{ readonly finding: Finding | null; readonly tried: Outcomes; readonly report: CellReport }> {
  const project = await projectThatRunsLater(bench)
  const look = (): ReadonlyMap<string, string> =>
    new Map(
      [...snapshot(project)].filter(([file]) =>
        [...places, path.dirname(hook), ...absent].some((each) => file === each || file.startsWith(`${each}/`)),
      ),
    )
  const before = look()
  const write = await bench.inside(script, { files, places, absent, project, program }, { project, strictNames })
  const tried = write.result
  // Compared before the next cell, because that cell does not start if git's configuration has been damaged.
  const changed = differences(before, look())
  if (changed.length > 0) return { finding: broken(`changed on the host: ${changed.slice(0, 12).join(', ')}`), tried, report: write.report }
  const control = await bench.inside(({ fs, attempt }) => attempt(() => fs.writeFileSync('sub/ordinary', 'changed')), null, { project })
  const finding =
    control.result !== 'ok' || readFileSync(path.join(project, 'sub/ordinary'), 'utf8') !== 'changed'
      ? broken(`an ordinary file of the project could not be written either: ${control.result}`)
      : unlessAll(tried, expected)
  return { finding, tried, report: write.report }
}

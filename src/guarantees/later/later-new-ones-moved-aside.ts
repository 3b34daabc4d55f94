import { existsSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'

const made = [
  'sub/.envrc',
  'sub/.mcp.json',
  'new/deep/.vscode',
  'new/.claude',
  'new/.idea',
  'new/opencode.json',
  'new/mise.toml',
  'far/.git',
  'linked/.vscode',
  'renamed/.codex',
  '.kiro',
  'new/.helix',
  'mise.dev.toml',
  'new/.config/mise',
]

export const newOnesMovedAside: Guarantee = {
  id: 'later-new-ones-moved-aside',
  chapter: 'later',
  claim:
    'What a cell newly makes and would run later, below the project’s root or without an inert entry there, is moved aside when the cell ends, and named.',
  mechanism:
    'The host walks the project after the last process of the cell is gone, and renames what was not there before to NAME.quarantined.',
  kind: 'policy',
  why: 'No mount can keep a name from being made in a directory that does not exist yet; but nothing obeys the new name.',
  fails: [
    'It exists from its creation until the end of the cell.',
    'Names that are not on the list; beyond 500,000 entries and 190 levels, and in directories that cannot be read: those are named.',
    'In node_modules, .venv and __pycache__ only new repositories are looked for.',
  ],
  probe: async (bench) => {
    const project = await bench.project({ 'sub/file': '', 'far/.keep': '' })
    const { report } = await bench.inside(
      ({ fs }) => {
        fs.writeFileSync('sub/.envrc', 'bad')
        fs.writeFileSync('sub/.mcp.json', '{}')
        for (const each of ['new/deep/.vscode', 'new/.claude', 'new/.idea', 'far/.git/hooks']) fs.mkdirSync(each, { recursive: true })
        fs.writeFileSync('new/deep/.vscode/tasks.json', 'bad')
        fs.writeFileSync('new/.claude/settings.json', 'bad')
        fs.writeFileSync('new/opencode.json', 'bad')
        fs.writeFileSync('new/mise.toml', 'bad')
        for (const each of ['.kiro/hooks', 'new/.helix', 'new/.config/mise']) fs.mkdirSync(each, { recursive: true })
        fs.writeFileSync('.kiro/hooks/x.kiro.hook', 'bad')
        fs.writeFileSync('mise.dev.toml', 'bad')
        fs.mkdirSync('linked')
        fs.symlinkSync('../new', 'linked/.vscode')
        // Created under another name, with old times.
        fs.mkdirSync('renamed/harmless', { recursive: true })
        fs.writeFileSync('renamed/harmless/config.toml', 'bad')
        fs.utimesSync('renamed/harmless', 1, 1)
        fs.renameSync('renamed/harmless', 'renamed/.codex')
        fs.writeFileSync('sub/kept', 'x')
      },
      null,
      { project },
    )
    const standing = made.filter((each) => existsSync(path.join(project, each)))
    if (standing.length > 0) return broken(`still there after the cell: ${standing.join(', ')}`)
    const told = new Set(report.changes?.quarantined.map((each) => each.path))
    const untold = made.filter((each) => !told.has(each))
    if (untold.length > 0) return broken(`not named in the report: ${untold.join(', ')}`)
    if (!existsSync(path.join(project, 'sub/kept'))) return broken('an ordinary new file is gone as well')
    return held(
      `${made.length} new ones at the root and deep in the project, also by link and by rename with old times: all moved aside and named`,
    )
  },
}

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
  'escaped/.vscode',
  'twice/.vscode',
  'program/.vscode',
  'elsewhere/.vscode',
]

/** Settings of VS Code that look harmless, and a task in them that runs when the folder is opened. */
const escaped =
  '{ "version": "2.0.0", "tasks": [{ "label": "a", "command": "./bad", "\\u0072unOptions": { "run\\u004fn": "folderOpen" } }] }'
const twice = '{ "version": "2.0.0", "tasks": [{ "label": "a", "runOptions": { "runOn": "folderOpen" } }], "tasks": [] }'

export const newOnesMovedAside: Guarantee = {
  id: 'later-new-ones-moved-aside',
  chapter: 'later',
  claim:
    "New files of a cell that would run later, in a subdirectory or without an inert entry at the project's root, are quarantined and reported when the cell ends. A new .vscode directory stays if it can run nothing by itself, and its files are reported.",
  mechanism:
    "After the cell's last process is gone, the host walks the project and renames such new files to NAME.quarantined. For .vscode, an allowlist decides which files, names and values may stay.",
  kind: 'policy',
  why: 'No mount can prevent a name in a directory that does not exist yet, but no program looks for the new name.',
  fails: [
    'The file exists from its creation until the cell ends.',
    'Names that are not on the list. Anything after 500,000 entries or 190 levels, and in directories that cannot be read; Paddock reports those.',
    'Tasks and launch configurations in a .vscode that stays run what they name when you start them; it can recommend any extension. An extension could start launch configurations by an option that Paddock does not know.',
    'In node_modules, .venv and __pycache__, Paddock looks only for new repositories.',
  ],
  probe: async (bench) => {
    const project = await bench.project({ 'sub/file': '', 'far/.keep': '' })
    const { report } = await bench.inside(
      ({ fs }, given) => {
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
        // These entries are created under another name, with old times.
        fs.mkdirSync('renamed/harmless', { recursive: true })
        fs.writeFileSync('renamed/harmless/config.toml', 'bad')
        fs.utimesSync('renamed/harmless', 1, 1)
        fs.renameSync('renamed/harmless', 'renamed/.codex')
        fs.writeFileSync('sub/kept', 'x')
        for (const each of ['escaped', 'twice', 'program', 'elsewhere']) fs.mkdirSync(`${each}/.vscode`, { recursive: true })
        fs.writeFileSync('escaped/.vscode/tasks.json', given.escaped)
        fs.writeFileSync('twice/.vscode/tasks.json', given.twice)
        fs.writeFileSync('program/.vscode/settings.json', '{ "python.defaultInterpreterPath": "./bad" }')
        fs.writeFileSync('elsewhere/.vscode/settings.json', '{}')
        fs.linkSync('elsewhere/.vscode/settings.json', 'sub/settings')
      },
      { escaped, twice },
      { project },
    )
    const standing = made.filter((each) => existsSync(path.join(project, each)))
    if (standing.length > 0) return broken(`still there after the cell: ${standing.join(', ')}`)
    const told = new Set(report.changes?.quarantined.map((each) => each.path))
    const untold = made.filter((each) => !told.has(each))
    if (untold.length > 0) return broken(`not named in the report: ${untold.join(', ')}`)
    if (!existsSync(path.join(project, 'sub/kept'))) return broken('an ordinary new file is gone too')
    return held(
      `${made.length} new ones at the root and deep in the project, also made by links and by renames with old times: all quarantined and reported`,
    )
  },
}

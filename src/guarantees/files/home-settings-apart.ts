import { broken, type Guarantee, held } from '../guarantee.ts'

/** Files that git, npm, shells, Python, Cargo, editors and agents run or obey in a home, and that tools find above a project. */
const acting = [
  ...[
    '.gitconfig',
    '.config/git/config',
    '.npmrc',
    '.bashrc',
    '.profile',
    '.ssh/config',
    '.local/bin/git',
    'bin/npm',
    '.cargo/config.toml',
  ],
  ...['.local/lib/python3/site-packages/usercustomize.py', '.claude/settings.json', '.claude/CLAUDE.md', '.claude.json'],
  ...['.codex/config.toml', '.gemini/settings.json', '.config/opencode/opencode.json', 'node_modules/x/index.js', '.unknown/plugin'],
]
const conversation = '.codex/sessions/2026/01/02/rollout-of-a-probe.jsonl'

export const homeSettingsApart: Guarantee = {
  id: 'home-settings-apart',
  chapter: 'files',
  claim:
    'Settings, hooks and programs that a cell leaves in its private home are not in the home of a later cell with wider rights, and those of that cell come back.',
  mechanism:
    "Before a cell starts, Paddock compares its rights (network, credentials, secrets, mounts, variables, ports, and in a fleet the owner's jobs) with those of the cells that wrote to the home. What they wrote is set aside, except agents' conversations, histories and logins, and caches of tools.",
  kind: 'structural',
  why: 'The list names what stays, not what is set aside, so a file of an unknown tool is set aside too. Cells with other rights do not run in one home at the same time.',
  fails: [
    'You use `--keep-home`.',
    'Conversations stay. An agent that continues one reads what an earlier run wrote.',
    'Caches stay, such as ~/.cache and ~/.cargo/registry. Some tools run code from them without checking it.',
    'A placeholder counts by its name and hosts, not by its value: another account under the same name has the same rights.',
    'In a fleet, an operator types into the terminal of an owner.',
    'The project itself, which all runs share.',
  ],
  notAt: ['L1'],
  probe: async (bench) => {
    const home = await bench.directory()
    const shown = await bench.directory()
    const cell = { home: { kind: 'persistent', path: home } } as const
    const wide = { ...cell, mounts: [{ source: shown, access: 'rw' }] } as const
    const write = (text: string, files: readonly string[], wishes: typeof cell) =>
      bench.inside(
        ({ fs, env }, given) => {
          for (const each of given.files) {
            const file = `${env['HOME']}/${each}`
            try {
              fs.mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true })
              fs.writeFileSync(file, given.text)
            } catch (error) {
              // A program in PATH that is installed in the home can be in such a directory, which is read-only then: EROFS, or ENOENT below it.
              if (!['EROFS', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
            }
          }
        },
        { text, files },
        wishes,
      )
    const read = async (wishes: typeof cell): Promise<readonly string[]> => {
      const { result } = await bench.inside(
        ({ fs, env }, files) =>
          files.map((each) => {
            try {
              return fs.readFileSync(`${env['HOME']}/${each}`, 'utf8')
            } catch (error) {
              return (error as NodeJS.ErrnoException).code ?? 'an error'
            }
          }),
        [...acting, conversation],
        wishes,
      )
      return result
    }
    await write('own', ['.gitconfig'], wide)
    await write('planted', [...acting, conversation], cell)
    const found = await read(wide)
    const planted = acting.filter((_, index) => found[index] === 'planted')
    if (planted.length > 0) return broken(`a cell with wider rights has what an earlier one planted: ${planted.slice(0, 8).join(', ')}`)
    if (found[0] !== 'own') return broken(`the own settings of a cell did not come back (${found[0]})`)
    if (found.at(-1) !== 'planted') return broken('a conversation is gone')
    const again = await read(cell)
    // What exists in neither cell is a path at which nothing could be planted.
    if (!again.every((each, at) => each === 'planted' || (each === 'ENOENT' && found[at] === 'ENOENT')))
      return broken('a cell with the same rights as before does not have its own settings')
    return held(
      `${again.filter((each) => each === 'planted').length - 1} files that an earlier cell left were not in one with wider rights, which had its own; the conversation was, and the files came back`,
    )
  },
}

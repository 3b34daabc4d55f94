import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'
import { differences, snapshot } from '../probe/probe-snapshot.ts'

/** The hooks of git, those that husky generates, and a directory of another tool. In a second project, the first two do not exist yet. */
const directories = ['.git/hooks', '.husky/_', 'tools/hooks'] as const

export const generatedHooks: Guarantee = {
  id: 'later-generated-hooks',
  chapter: 'later',
  claim: 'Hooks that a cell installs stay in the cell: those in the git directory, and those that a tool generates, such as husky.',
  mechanism:
    'A private copy is mounted over the hooks of each git directory, over a directory of hooks that ignores itself in git, and over .husky/_ if there is none yet. The copy is removed when the cell ends.',
  kind: 'structural',
  why: 'The cell has no path to the directory under the mount, which the kernel neither removes nor replaces (unlink(2), rename(2): EBUSY).',
  fails: [
    'Hooks elsewhere are read-only. Hooks in .husky itself, other directories that do not ignore themselves, and directories with more than 500 entries or 16 MiB are among these.',
  ],
  probe: async (bench) => {
    const files = Object.fromEntries(
      directories.flatMap((each) => [
        [`${each}/.gitignore`, '*\n'],
        [`${each}/pre-commit`, 'as it was'],
      ]),
    )
    const git = (hooks: string): Record<string, string> => ({
      '.git/config': `[core]\n\trepositoryformatversion = 0\n\thooksPath = ${hooks}\n`,
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/objects/info/packs': '',
      '.git/refs/heads/none': '',
    })
    const projects = [
      await bench.project({ ...files, ...git('tools/hooks'), '.husky/pre-commit': 'as it was', ordinary: '' }),
      await bench.project({ ...git('.husky/_'), '.husky/pre-commit': 'as it was', ordinary: '' }),
    ]
    const tried: Record<string, string> = {}
    for (const [at, project] of projects.entries()) {
      const here = at === 0 ? directories : directories.slice(0, 2)
      const look = (): ReadonlyMap<string, string> =>
        new Map([...snapshot(project)].filter(([file]) => /^(?:\.git\/hooks|\.husky|tools)(?:\/|$)/.test(file)))
      const before = look()
      const { result } = await bench.inside(
        ({ fs, attempt }, given) => {
          const refused: Record<string, string> = {}
          const written = given.flatMap((each) =>
            ['pre-commit', 'post-checkout'].map((name) => attempt(() => fs.writeFileSync(`${each}/${name}`, 'bad'))),
          )
          for (const each of given) {
            refused[`away ${each}`] = attempt(() => fs.renameSync(each, `${each}.away`))
            refused[`remove ${each}`] = attempt(() => fs.rmdirSync(each))
          }
          refused['write .husky/pre-commit'] = attempt(() => fs.writeFileSync('.husky/pre-commit', 'bad'))
          return { refused, written, ordinary: attempt(() => fs.writeFileSync('ordinary', 'changed')) }
        },
        here,
        { project },
      )
      const changed = differences(before, look())
      if (changed.length > 0) return broken(`changed on the host: ${changed.join(', ')}`)
      const control = [...result.written, result.ordinary].find((each) => each !== 'ok')
      if (control !== undefined) return broken(`a hook or an ordinary file could not be written in the cell: ${control}`)
      for (const [name, outcome] of Object.entries(result.refused)) tried[`${path.basename(project)} ${name}`] = outcome
    }
    return (
      unlessAll(tried, ['EBUSY', 'EROFS', 'EXDEV']) ??
      held(`${projects.length} projects: hooks were written in the cell, and none on the host; ${countOutcomes(tried)}`)
    )
  },
}

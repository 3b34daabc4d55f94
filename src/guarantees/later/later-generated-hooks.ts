import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'
import { differences, snapshot } from '../probe/snapshot.ts'

/** The hooks that husky generates, a directory of another tool, and, in a second project, hooks that husky has not generated yet. */
const generated = ['.husky/_', 'tools/hooks'] as const

export const generatedHooks: Guarantee = {
  id: 'later-generated-hooks',
  chapter: 'later',
  claim: 'Hooks that a tool generates again in a cell, such as those of husky, stay in the cell.',
  mechanism:
    'A private copy is mounted over a directory of hooks that ignores itself in git, and over .husky/_ if there is none yet. The copy is removed when the cell ends.',
  kind: 'structural',
  why: 'The cell has no path to the directory under the mount, which the kernel neither removes nor replaces (unlink(2), rename(2): EBUSY).',
  fails: ['Hooks elsewhere are read-only. Hooks in .husky itself, and directories that do not ignore themselves, are among these.'],
  probe: async (bench) => {
    const files = Object.fromEntries(
      generated.flatMap((each) => [
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
      const directories = at === 0 ? generated : generated.slice(0, 1)
      const look = (): ReadonlyMap<string, string> =>
        new Map([...snapshot(project)].filter(([file]) => /^(?:\.husky|tools)(?:\/|$)/.test(file)))
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
        directories,
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

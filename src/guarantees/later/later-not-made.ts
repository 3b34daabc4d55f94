import { type Guarantee, held } from '../guarantee.ts'
import { attack } from '../probe/attack.ts'
import { countOutcomes } from '../probe/outcomes.ts'

export const laterNotMade: Guarantee = {
  id: 'later-not-made',
  chapter: 'later',
  claim:
    "In a project's git directory, a cell cannot create files that git obeys. At the root of a project with files, it cannot create settings directories of editors and agents that are installed (.vscode, .claude and so on) or, with --strict-names, any file that shells, common editors and agents obey. None of them exists afterwards.",
  mechanism: 'An inert entry with a read-only mount on it is created there while the cell runs, and removed when the cell ends.',
  kind: 'structural',
  why: 'The name is taken by a mount point that cannot be renamed, removed or written to.',
  fails: [
    'Other names on the list (.envrc, .kiro and so on) have no inert entry. A new one is quarantined when the cell ends.',
    'A project with only a README, a license, .gitignore and .gitattributes has inert entries only with --strict-names.',
    'A tool counts as installed if its program is in PATH, or its directory is in your home.',
    'If Paddock is killed, the inert entries (empty files, empty directories, {}) stay until the next start of a cell.',
    'Another program of yours that runs during this time finds the inert entry at the path of its own file.',
  ],
  probe: async (bench) => {
    const { finding, tried } = await attack(
      bench,
      ['EROFS', 'EBUSY', 'EEXIST', 'EISDIR', 'ENOTDIR', 'EXDEV', 'ENOTEMPTY'],
      ({ fs, attempt }, { absent }) => {
        const tried: Record<string, string> = {}
        for (const place of absent) {
          tried[`write ${place}`] = attempt(() => fs.writeFileSync(place, 'bad'))
          tried[`mkdir ${place}`] = attempt(() => fs.mkdirSync(place))
          tried[`file in ${place}`] = attempt(() => fs.writeFileSync(`${place}/bad`, 'bad'))
          tried[`link at ${place}`] = attempt(() => fs.symlinkSync('/', place))
          fs.writeFileSync('mine', 'bad')
          tried[`rename over ${place}`] = attempt(() => fs.renameSync('mine', place))
          tried[`rename away ${place}`] = attempt(() => fs.renameSync(place, 'moved'))
          tried[`remove ${place}`] = attempt(() => (fs.statSync(place).isDirectory() ? fs.rmdirSync(place) : fs.unlinkSync(place)))
          fs.rmSync('mine', { force: true })
        }
        return tried
      },
      { strictNames: true },
    )
    return (
      finding ??
      held(
        `${Object.keys(tried).length} attempts to create, replace and remove protected paths that do not exist: ${countOutcomes(tried)}; none existed afterwards`,
      )
    )
  },
}

import { existsSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'

const places = ['.', 'src/lib', 'node_modules/package', 'a/b/c/d/e/f']
const others = [
  ...['by-commondir', 'aside/.git', 'aside/.git.quarantined', 'aside/.git.quarantined/modules/lib'],
  'node_modules/package/.git.quarantined',
]

export const disguisedRepositories: Guarantee = {
  id: 'later-no-disguised-repositories',
  chapter: 'later',
  claim:
    'A directory that a cell makes look like a repository, whatever its name, is none for git after the cell, nor is what was moved aside.',
  mechanism:
    'The HEAD of each new directory that has objects and refs, or a commondir, beside it is moved aside at the end; so are new .git directories and files, and each HEAD in them.',
  kind: 'policy',
  why: 'Git takes a directory for a repository by these names (gitrepository-layout(5)) and obeys its config; without HEAD it does not.',
  fails: ['Bare repositories in node_modules, .venv and __pycache__ that have no .git.', 'Until the end of the cell it stands there.'],
  probe: async (bench) => {
    const project = await bench.project({ 'src/lib/file': '', 'node_modules/package/file': '' })
    await bench.inside(
      ({ fs }, given) => {
        const make = (at: string): void => {
          for (const each of ['objects', 'refs/heads']) fs.mkdirSync(`${at}/${each}`, { recursive: true })
          fs.writeFileSync(`${at}/HEAD`, 'ref: refs/heads/main\n')
          fs.writeFileSync(`${at}/config`, '[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = touch bad\n')
        }
        for (const each of given) make(each.startsWith('node_modules') ? `${each}/.git` : each)
        // A directory without objects and refs of its own, and the one that it sends git to.
        fs.mkdirSync('by-commondir', { recursive: true })
        fs.writeFileSync('by-commondir/HEAD', 'ref: refs/heads/main\n')
        fs.writeFileSync('by-commondir/commondir', '../src/lib\n')
        // Moved aside, they are repositories by their new name.
        for (const each of ['aside/.git', 'aside/.git/modules/lib']) make(each)
        fs.mkdirSync('by-file/deep', { recursive: true })
        fs.writeFileSync('by-file/deep/.git', 'gitdir: ../../src/lib\n')
      },
      places,
      { project },
    )
    const heads = [...places.map((each) => (each.startsWith('node_modules') ? `${each}/.git` : each)), ...others].filter((each) =>
      existsSync(path.join(project, each, 'HEAD')),
    )
    if (heads.length > 0) return broken(`repositories for git on the host: ${heads.join(', ')}`)
    if (existsSync(path.join(project, 'by-file/deep/.git'))) return broken('a .git file leads git to a directory of the cell’s')
    if (!existsSync(path.join(project, 'src/lib/config')))
      return broken('the cell could not make what it was to make, so nothing was shown')
    if (!existsSync(path.join(project, 'aside/.git.quarantined/modules/lib/config')))
      return broken('what the cell made in a .git directory is not where it was moved to, so nothing was shown')
    return held(
      `repositories made at ${places.join(', ')}, by a commondir, by a .git file and in what was moved aside: none has a HEAD afterwards`,
    )
  },
}

import { existsSync, lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'

const places = ['.', 'src/lib', 'node_modules/package', 'a/b/c/d/e/f']
/** Repositories inside an existing repository, and in directories that are not searched at the start. */
const hidden = ['.git/x', '.git/lfs/y', '.git/refs/heads/z', 'node_modules/bare', '.venv/lib/bare', 'src/__pycache__/bare']
const others = [
  ...['by-commondir', 'aside/.git', 'aside/.git.quarantined', 'aside/.git/lib.quarantined'],
  'node_modules/package/.git.quarantined',
]
const links = { docs: '.git/x', later: '.git/nothing-yet', packages: 'node_modules/bare' }

export const disguisedRepositories: Guarantee = {
  id: 'later-no-disguised-repositories',
  chapter: 'later',
  claim:
    'After a cell, no directory that the cell made look like a git repository is one that runs anything, whatever its name, including in .git, in packages and in quarantined files. No new link leads into a git directory.',
  mechanism:
    'At the end, Paddock launders each directory that has HEAD, objects and refs, or quarantines its HEAD, except in repositories that already existed. It also quarantines other new .git directories and files, and new links into a git directory or into packages.',
  kind: 'policy',
  why: 'Git recognizes a repository by these names (gitrepository-layout(5)) and then obeys its config. Without HEAD it does not.',
  fails: [
    'An old repository in node_modules, .venv or __pycache__ is checked only by the change times of its config, its hooks and their directories, and in a project in memory (tmpfs) by their contents.',
    'A tree with more than 500,000 entries is not searched completely, which Paddock reports.',
    'While the cell runs, such repositories exist.',
  ],
  probe: async (bench) => {
    const project = await bench.project({
      'src/lib/file': '',
      'node_modules/package/file': '',
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config': '[core]\n\trepositoryformatversion = 0\n',
      '.git/objects/info/packs': '',
      '.git/refs/heads/.keep': '',
    })
    await bench.inside(
      ({ fs }, given) => {
        const make = (at: string): void => {
          for (const each of ['objects', 'refs/heads']) fs.mkdirSync(`${at}/${each}`, { recursive: true })
          fs.writeFileSync(`${at}/HEAD`, 'ref: refs/heads/main\n')
          fs.writeFileSync(`${at}/config`, '[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = touch bad\n')
        }
        for (const each of given.places) make(each === 'node_modules/package' ? `${each}/.git` : each)
        for (const [name, to] of given.links) fs.symlinkSync(to, name)
        // A directory without its own objects and refs, and the directory that it makes git use.
        fs.mkdirSync('by-commondir', { recursive: true })
        fs.writeFileSync('by-commondir/HEAD', 'ref: refs/heads/main\n')
        fs.writeFileSync('by-commondir/commondir', '../src/lib\n')
        // The submodule names no work tree, so it is quarantined, and would be a repository under its new name.
        for (const each of ['aside/.git', 'aside/.git/modules/lib']) make(each)
        fs.mkdirSync('by-file/deep', { recursive: true })
        fs.writeFileSync('by-file/deep/.git', 'gitdir: ../../src/lib\n')
      },
      { places: [...places, ...hidden], links: Object.entries(links) },
      { project },
    )
    const made = [...places.map((each) => (each === 'node_modules/package' ? `${each}/.git` : each)), ...hidden, ...others]
    const isLaundered = (at: string): boolean => {
      const config = path.join(project, at, 'config')
      return existsSync(config) && !readFileSync(config, 'utf8').includes('fsmonitor')
    }
    const heads = made.filter((each) => existsSync(path.join(project, each, 'HEAD')) && !isLaundered(each))
    if (heads.length > 0) return broken(`git repositories on the host: ${heads.join(', ')}`)
    const left = Object.keys(links).filter((each) => lstatSync(path.join(project, each), { throwIfNoEntry: false }) !== undefined)
    if (left.length > 0) return broken(`links of the cell lead into a git directory or packages: ${left.join(', ')}`)
    if (existsSync(path.join(project, 'by-file/deep/.git'))) return broken('a .git file leads git to a directory that the cell made')
    if (!existsSync(path.join(project, '.git/HEAD'))) return broken('the repository that was there before no longer has a HEAD')
    if (![...hidden, 'src/lib'].every((each) => existsSync(path.join(project, each, 'config'))))
      return broken('the cell could not make the files it was meant to, so the probe is inconclusive')
    if (!['.git', '.git.quarantined'].some((each) => existsSync(path.join(project, 'aside', each, 'config'))))
      return broken('files that the cell made in a .git directory are not where they were moved to, so the probe is inconclusive')
    return held(
      `repositories made at ${[...places, ...hidden].join(', ')}, by a commondir, by a .git file and in quarantined files: each is laundered or has no HEAD afterwards, and ${Object.keys(links).length} links into git directories and packages are quarantined`,
    )
  },
}

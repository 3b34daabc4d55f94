import { existsSync, lstatSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'

const places = ['.', 'src/lib', 'node_modules/package', 'a/b/c/d/e/f']
/** In a repository that existed before, and in directories that are not searched at the start. */
const hidden = ['.git/x', '.git/lfs/y', '.git/refs/heads/z', 'node_modules/bare', '.venv/lib/bare', 'src/__pycache__/bare']
const others = [
  ...['by-commondir', 'aside/.git', 'aside/.git.quarantined', 'aside/.git.quarantined/modules/lib'],
  'node_modules/package/.git.quarantined',
]
const links = { docs: '.git/x', later: '.git/nothing-yet', packages: 'node_modules/bare' }

export const disguisedRepositories: Guarantee = {
  id: 'later-no-disguised-repositories',
  chapter: 'later',
  claim:
    'After a cell, no directory that the cell made look like a repository is one for git: whatever its name, in .git and packages too, and in what was quarantined. No new link leads into a git directory.',
  mechanism:
    'At the end, the HEAD of each directory that has objects and refs, or a commondir, beside it is quarantined, except in the repositories that were there before; so are new .git directories and files, and new links into a git directory or into packages.',
  kind: 'policy',
  why: 'Git takes a directory for a repository by these names (gitrepository-layout(5)) and obeys its config; without HEAD it does not.',
  fails: [
    'An old repository in node_modules, .venv or __pycache__ counts as changed by the change times of its config, its hooks and their directories.',
    'A tree with more than 500,000 entries is not searched to its end, which Paddock reports.',
    'While the cell runs, what it made is there.',
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
        // A directory without its own objects and refs, and the one that it makes git use.
        fs.mkdirSync('by-commondir', { recursive: true })
        fs.writeFileSync('by-commondir/HEAD', 'ref: refs/heads/main\n')
        fs.writeFileSync('by-commondir/commondir', '../src/lib\n')
        // After quarantine they would be repositories under their new names.
        for (const each of ['aside/.git', 'aside/.git/modules/lib']) make(each)
        fs.mkdirSync('by-file/deep', { recursive: true })
        fs.writeFileSync('by-file/deep/.git', 'gitdir: ../../src/lib\n')
      },
      { places: [...places, ...hidden], links: Object.entries(links) },
      { project },
    )
    const made = [...places.map((each) => (each === 'node_modules/package' ? `${each}/.git` : each)), ...hidden, ...others]
    const heads = made.filter((each) => existsSync(path.join(project, each, 'HEAD')))
    if (heads.length > 0) return broken(`repositories for git on the host: ${heads.join(', ')}`)
    const left = Object.keys(links).filter((each) => lstatSync(path.join(project, each), { throwIfNoEntry: false }) !== undefined)
    if (left.length > 0) return broken(`links of the cell lead into a git directory or packages: ${left.join(', ')}`)
    if (existsSync(path.join(project, 'by-file/deep/.git'))) return broken('a .git file leads git to a directory of the cell’s')
    if (!existsSync(path.join(project, '.git/HEAD'))) return broken('the repository that was there before has no HEAD any more')
    if (![...hidden, 'src/lib'].every((each) => existsSync(path.join(project, each, 'config'))))
      return broken('the cell could not make what it was to make, so nothing was shown')
    if (!existsSync(path.join(project, 'aside/.git.quarantined/modules/lib/config')))
      return broken('what the cell made in a .git directory is not where it was moved to, so nothing was shown')
    return held(
      `repositories made at ${[...places, ...hidden].join(', ')}, by a commondir, by a .git file and in what was quarantined: none has a HEAD afterwards, and ${Object.keys(links).length} links into git directories and packages are quarantined`,
    )
  },
}

import { symlinkSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'

const repository = (at: string): Record<string, string> => ({
  [`${at}/HEAD`]: 'ref: refs/heads/main\n',
  [`${at}/objects/info/.keep`]: '',
  [`${at}/refs/heads/.keep`]: '',
  [`${at}/logs/refs/.keep`]: '',
  [`${at}/config`]: '[core]\n\trepositoryformatversion = 0\n',
})

/** Git directories of different kinds: the project's, a submodule's, a nested one, a bare one, and one in a directory of packages. */
const directories = ['.git', '.git/modules/lib', 'nested/.git', 'bare', 'node_modules/bare']
/** Files that git on the host writes, and directories in which it writes, as links. */
const made = ['logs/HEAD', 'COMMIT_EDITMSG', 'index', 'refs/tags', 'objects/ab', 'worktrees', 'logs/refs/new/deep', 'closed/x', 'moved/x']

export const noLinksInGit: Guarantee = {
  id: 'later-no-links-in-git',
  chapter: 'later',
  claim:
    'After a cell, no git directory in which it could write contains a symbolic link that was not there before, except quarantined ones at its top, which git does not use.',
  mechanism:
    'Before the start, Paddock records the links in git directories. At the end, it moves every other link to NAME.quarantined at the top of its git directory.',
  kind: 'policy',
  why: 'Git on the host writes logs, messages, refs and the index through links, with content that the cell chose. So a link would let a cell write to any file of the user.',
  fails: [
    'A link exists from its creation until the cell ends, and a git command on the host may use it meanwhile.',
    'In node_modules, .venv and __pycache__, and in a git directory with more than 200,000 entries, change times decide what is new.',
    'A hard link in a git directory. The kernel allows it only to a file of the same mount, to which the cell can write anyway.',
  ],
  probe: async (bench) => {
    const project = await bench.project({ ...Object.assign({}, ...directories.map(repository)), '.git/old/.keep': '' })
    const outside = path.join(await bench.directory(), 'file')
    await writeFile(outside, 'as it was')
    // The cell changes the directory of the first one, and moves that of the second one.
    for (const each of ['refs/heads/alias', 'old/x']) symlinkSync('main', path.join(project, '.git', each))
    const { report, result } = await bench.inside(
      ({ fs, path, attempt }, given) => {
        for (const directory of given.directories) {
          for (const each of given.made) {
            const at = `${directory}/${each}`
            fs.mkdirSync(path.dirname(at), { recursive: true })
            fs.symlinkSync(given.outside, at)
          }
          fs.chmodSync(`${directory}/closed`, 0o500)
        }
        fs.writeFileSync('.git/refs/heads/main', 'x')
        fs.renameSync('.git/old', '.git/logs/moved')
        return { 'across mounts': attempt(() => fs.linkSync('README', '.git/FETCH_HEAD')) }
      },
      { directories, made, outside },
      { project },
    )
    const links: string[] = []
    for (const each of directories) {
      const found = await readdir(path.join(project, each), { recursive: true, withFileTypes: true })
      links.push(
        ...found.filter((entry) => entry.isSymbolicLink()).map((entry) => path.relative(project, path.join(entry.parentPath, entry.name))),
      )
    }
    const left = links.filter((each) => !directories.includes(path.dirname(each)) || !/quarantined/.test(each))
    const own = '.git/refs/heads/alias'
    const news = [...new Set(left)].filter((each) => each !== own)
    if (news.length > 0) return broken(`links of the cell in git directories on the host: ${news.slice(0, 10).join(', ')}`)
    if (!left.includes(own)) return broken('a link of the user in a git directory was moved')
    const named = new Set(report.changes?.quarantined.map((each) => each.path))
    const expected = [...directories.flatMap((directory) => made.map((each) => `${directory}/${each}`)), '.git/logs/moved/x']
    const unnamed = expected.filter((each) => !named.has(each))
    if (unnamed.length > 0) return broken(`not named in the report: ${unnamed.join(', ')}`)
    if ((await readFile(outside, 'utf8')) !== 'as it was') return broken('a file outside was changed')
    if (result['across mounts'] !== 'EXDEV')
      return broken(`a hard link into the git directory from another mount: ${result['across mounts']}`)
    return held(
      `${expected.length} links in ${directories.join(', ')}, also in closed and moved directories: all quarantined; a link of the user stays; a hard link across mounts: EXDEV`,
    )
  },
}

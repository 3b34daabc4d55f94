import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'
import { differences, snapshot } from '../probe/probe-snapshot.ts'

const repository = (at: string): Record<string, string> => ({
  [`${at}/HEAD`]: 'ref: refs/heads/main\n',
  [`${at}/objects/.keep`]: '',
  [`${at}/refs/.keep`]: '',
  [`${at}/config`]: '[core]\n',
  [`${at}/hooks/pre-commit`]: 'as it was',
})

/** Git directories of different kinds: a nested one, a submodule's, one with another name, and a worktree's own directory. */
const directories = ['nested/.git', '.git/modules/lib', 'mirror.git', '.git']

export const otherRepositories: Guarantee = {
  id: 'later-every-repository',
  chapter: 'later',
  claim:
    'A cell cannot change the hooks and configuration of any repository in the project: nested ones, submodules, worktrees, bare ones of any name.',
  mechanism:
    'Before the start, the host finds git directories by their contents, and adds the same read-only mounts and private copies to each.',
  kind: 'structural',
  why: 'Git obeys whichever repository it is called in, so a hook in any of them would run.',
  fails: [
    'Repositories in node_modules, .venv and __pycache__ that already existed.',
    'A project with more than 1,500 such paths is refused, except those in directories that --ro makes read-only.',
  ],
  probe: async (bench) => {
    const project = await bench.project({
      ...Object.assign({}, ...directories.map(repository)),
      'lib/.git': 'gitdir: ../.git/modules/lib\n',
      'tree/.git': 'gitdir: ../.git/worktrees/tree\n',
      '.git/worktrees/tree/HEAD': 'ref: refs/heads/tree\n',
      '.git/worktrees/tree/commondir': '../..\n',
      '.git/worktrees/tree/gitdir': '../../../tree/.git\n',
    })
    const kept = /\/(config|commondir|gitdir|hooks)(\/|$)|config\.worktree|^(lib|tree)\/\.git$/
    const watched = (): ReadonlyMap<string, string> => new Map([...snapshot(project)].filter(([each]) => kept.test(each)))
    const before = watched()
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => {
        const tried: Record<string, string> = {}
        const write = (file: string): void => {
          tried[`write ${file}`] = attempt(() => fs.writeFileSync(file, 'bad'))
        }
        for (const each of given) {
          // These may be copies.
          attempt(() => fs.writeFileSync(`${each}/config`, 'bad'))
          for (const file of ['hooks/pre-commit', 'hooks/post-commit']) attempt(() => fs.writeFileSync(`${each}/${file}`, 'bad'))
          for (const file of ['config.worktree', 'commondir']) write(`${each}/${file}`)
          tried[`move hooks of ${each}`] = attempt(() => fs.renameSync(`${each}/hooks`, `${each}/moved`))
          tried[`move ${each}`] = attempt(() => fs.renameSync(each, 'moved'))
        }
        for (const each of [
          'lib/.git',
          'tree/.git',
          '.git/worktrees/tree/commondir',
          '.git/worktrees/tree/gitdir',
          '.git/worktrees/tree/config.worktree',
        ]) {
          write(each)
          tried[`remove ${each}`] = attempt(() => fs.unlinkSync(each))
        }
        return { tried, control: given.map((each) => attempt(() => fs.writeFileSync(`${each}/refs/heads`, 'x'))) }
      },
      directories,
      { project },
    )
    const changed = differences(before, watched())
    if (changed.length > 0) return broken(`changed on the host: ${changed.slice(0, 10).join(', ')}`)
    if (result.control.some((each) => each !== 'ok')) return broken(`refs could not be written either: ${result.control.join(', ')}`)
    const finding = unlessAll(result.tried, ['EROFS', 'EBUSY', 'EXDEV'])
    return (
      finding ??
      held(`${directories.join(', ')}, a worktree and a submodule's .git file: ${countOutcomes(result.tried)}; refs were written`)
    )
  },
}

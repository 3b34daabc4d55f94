import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'
import { differences, snapshot } from '../probe/probe-snapshot.ts'

const entry = (name: string, tree: string): Record<string, string> => ({
  [`.git/worktrees/${name}/HEAD`]: `ref: refs/heads/${name}\n`,
  [`.git/worktrees/${name}/index`]: 'as it was',
  [`.git/worktrees/${name}/commondir`]: '../..\n',
  [`.git/worktrees/${name}/gitdir`]: `${path.join(tree, '.git')}\n`,
})

export const workTreesApart: Guarantee = {
  id: 'later-work-trees-apart',
  chapter: 'later',
  claim: 'A cell in one work tree of a repository cannot change HEAD, the index or the git directory of another one.',
  mechanism:
    'The directory of linked work trees is read-only, with a mount for the entry of the project. New entries go to a directory that is made for the cell, and are moved at its end. In a linked work tree, HEAD and index of the main one are read-only.',
  kind: 'structural',
  why: 'Git on the host would commit, reset or prune another work tree by these files.',
  fails: [
    'Refs and objects are shared by all work trees, so a cell can move the branch that another one has checked out.',
    'If git on the host replaces HEAD or the index of the main work tree during the run, the cell can write to the new file for about a millisecond.',
    'Other files of the main work tree in the git directory, such as those of a merge in progress, can be changed.',
  ],
  probe: async (bench) => {
    const tree = await bench.project()
    const repository = await bench.project({
      ...{ '.git/HEAD': 'ref: refs/heads/main\n', '.git/index': 'as it was', '.git/config': '[core]\n' },
      ...{ '.git/objects/.keep': '', '.git/refs/.keep': '' },
      ...entry('own', tree),
      ...entry('other', '/nonexistent/other'),
    })
    const git = path.join(repository, '.git')
    await writeFile(path.join(tree, '.git'), `gitdir: ${git}/worktrees/own\n`)
    const kept = /^\.git\/(HEAD|index|worktrees\/other(\/|$))/
    const watched = (): ReadonlyMap<string, string> => new Map([...snapshot(repository)].filter(([each]) => kept.test(each)))
    const before = watched()
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => {
        const tried: Record<string, string> = {}
        const views = fs.readdirSync(given).filter((each) => each.startsWith('worktrees'))
        const others = views.flatMap((each) => ['HEAD', 'index', 'gitdir', 'new'].map((name) => `${each}/other/${name}`))
        for (const each of ['HEAD', 'index', ...others]) {
          tried[`write ${each}`] = attempt(() => fs.writeFileSync(`${given}/${each}`, 'bad'))
          if (!each.endsWith('new')) tried[`remove ${each}`] = attempt(() => fs.unlinkSync(`${given}/${each}`))
        }
        for (const each of views) tried[`move ${each}`] = attempt(() => fs.renameSync(`${given}/${each}`, `${given}/moved`))
        const control = ['own/HEAD', 'own/index'].map((each) =>
          attempt(() => fs.writeFileSync(`${given}/worktrees/${each}`, 'ref: refs/heads/own\n')),
        )
        // The view may lose the entry, but the repository keeps it.
        for (const each of views) attempt(() => fs.rmSync(`${given}/${each}/other`, { recursive: true, force: true }))
        return { tried, control }
      },
      git,
      { project: tree },
    )
    const changed = differences(before, watched())
    if (changed.length > 0) return broken(`changed on the host: ${changed.slice(0, 10).join(', ')}`)
    if (result.control.some((each) => each !== 'ok'))
      return broken(`its own entry could not be written either: ${result.control.join(', ')}`)
    const finding = unlessAll(result.tried, ['EROFS', 'EBUSY', 'EXDEV'])
    return finding ?? held(`the main work tree and another linked one: ${countOutcomes(result.tried)}; its own entry was written`)
  },
}

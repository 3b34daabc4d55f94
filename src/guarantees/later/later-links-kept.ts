import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { collect } from '../probe/bench.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'
import { differences, snapshot } from '../probe/probe-snapshot.ts'

/** Links in the project, with the paths to which they lead: in it, through another link, and out of it. */
const links: readonly (readonly [link: string, to: string])[] = [
  ['.vscode', 'shared/editor'],
  ['.envrc', 'shared/env'],
  ['.cursor', 'shared/further/rules'],
  ['sub/.claude', '../shared/agent'],
  ['.gemini', '../outside'],
]

export const protectedLinksKept: Guarantee = {
  id: 'later-links-kept',
  chapter: 'later',
  claim: 'If a protected path is a symbolic link, a cell can change neither the link nor anything to which it leads.',
  mechanism:
    'The link is a mount point, and the path in the project to which it leads is read-only, with every link on the way. If it leads into another place that the cell may write to, or is a git directory, no cell starts (UNENFORCEABLE).',
  kind: 'structural',
  why: 'The kernel neither removes nor replaces a mount point (unlink(2), rename(2): EBUSY), and a tool of yours follows the link to what is read-only.',
  fails: ['You give it up for one run with --allow-degraded run-later, and the report says so.'],
  probe: async (bench) => {
    const project = await bench.project({
      ...{ 'shared/editor/tasks.json': 'as it was', 'shared/env': 'as it was', 'shared/real/rules/a': 'as it was' },
      ...{ 'shared/agent/settings.json': 'as it was', 'sub/file': '', ordinary: 'as it was' },
    })
    const outside = path.join(path.dirname(project), 'outside')
    await mkdir(outside)
    await writeFile(path.join(outside, 'file'), 'as it was')
    await symlink('real', path.join(project, 'shared/further'))
    for (const [link, to] of links) await symlink(to, path.join(project, link))
    const watched = (): ReadonlyMap<string, string> =>
      new Map([...snapshot(project), ...snapshot(outside)].filter(([each]) => each !== 'ordinary' && each !== 'mine'))
    const before = watched()
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => {
        const tried: Record<string, string> = {}
        for (const link of [...given, 'shared/further']) {
          // A directory on the way is an ordinary one, and outside is only what the cell itself makes there.
          const isKept = link !== '.gemini' && link !== 'shared/further'
          if (isKept) tried[`write ${link}`] = attempt(() => fs.writeFileSync(link, 'bad'))
          else if (link === '.gemini') attempt(() => fs.writeFileSync(`${link}/new`, 'bad'))
          if (isKept) tried[`write in ${link}`] = attempt(() => fs.writeFileSync(`${link}/new`, 'bad'))
          tried[`remove ${link}`] = attempt(() => fs.unlinkSync(link))
          fs.writeFileSync('mine', 'bad')
          tried[`over ${link}`] = attempt(() => fs.renameSync('mine', link))
          tried[`away ${link}`] = attempt(() => fs.renameSync(link, 'taken'))
        }
        for (const each of ['shared', 'shared/editor', 'shared/env', 'shared/real', 'shared/real/rules', 'shared/agent'])
          tried[`away ${each}`] = attempt(() => fs.renameSync(each, 'taken'))
        return { tried, control: attempt(() => fs.writeFileSync('ordinary', 'changed')) }
      },
      links.map(([link]) => link),
      { project },
    )
    const changed = differences(before, watched())
    if (changed.length > 0) return broken(`changed on the host: ${changed.join(', ')}`)
    if (result.control !== 'ok') return broken(`an ordinary file could not be written: ${result.control}`)
    const refused = {
      'into a second writable place': await startOf(() =>
        bench.start(['/bin/true'], { project, mounts: [{ source: outside, access: 'rw' }] }),
      ),
      '.git': await startOf(async () => {
        const other = await bench.project({ 'elsewhere/HEAD': '', file: '' })
        await symlink('elsewhere', path.join(other, '.git'))
        return bench.start(['/bin/true'], { project: other })
      }),
    }
    const finding =
      unlessAll(result.tried, ['EROFS', 'EBUSY', 'EXDEV', 'EISDIR', 'ENOTDIR', 'ENOENT']) ?? unlessAll(refused, ['UNENFORCEABLE'])
    return finding ?? held(`${links.length} links: ${countOutcomes(result.tried)}; 2 starts refused; an ordinary file was written`)
  },
}

async function startOf(start: () => ReturnType<Parameters<Guarantee['probe']>[0]['start']>): Promise<string> {
  try {
    await collect(await start())
    return 'started'
  } catch (error) {
    return error instanceof PaddockError ? error.code : String(error)
  }
}

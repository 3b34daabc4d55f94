import { existsSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

export const projectsApart: Guarantee = {
  id: 'projects-apart',
  chapter: 'files',
  claim: 'A cell for one project sees no other project, not even its name in a directory that contains both.',
  mechanism: "Only the project itself is mounted. The directories above it are empty ones in the cell's root that serve as mount points.",
  kind: 'structural',
  why: "A listing of the directory above shows only what is mounted in it, and none of the host's entries.",
  fails: [
    "The project is a worktree or submodule: its repository's git directory is mounted too, and the first line reports this.",
    'The other project is in a directory that every cell has, such as /opt.',
    'The project uses the global virtual store of pnpm: its cell can read the packages of all projects in it, and the start reports this.',
  ],
  probe: async (bench) => {
    const [project, other] = [await bench.project(), await bench.project({ secret: bench.secret() })]
    const name = bench.secret()
    const { result } = await bench.inside(
      ({ fs, path, attempt }, given) => ({
        tried: {
          'its path': attempt(() => fs.readdirSync(given.other)),
          'its file': attempt(() => fs.readFileSync(`${given.other}/secret`)),
          'through ..': attempt(() => fs.readFileSync(`../${path.basename(given.other)}/secret`)),
          'its git directory': attempt(() => fs.lstatSync(`${given.other}/.git`)),
        },
        beside: fs.readdirSync('..'),
        above: fs.readdirSync('../..'),
        made: attempt(() => fs.mkdirSync(`${given.other}/${given.name}`, { recursive: true })),
      }),
      { other, name },
      { project },
    )
    const finding = unlessAll(result.tried, ['ENOENT'])
    if (finding !== null) return finding
    if (result.beside.length !== 1 || result.above.length !== 1)
      return broken(`the directories above the project show ${[...result.beside, ...result.above].join(', ')}`)
    // If the projects are in the home, the directory next to it is in the cell's private home, which is writable.
    if (existsSync(path.join(other, name))) return broken('a directory that the cell made is in another project')
    return held(
      `another project next to it, by path and through ..: ${countOutcomes(result.tried)}; the directory that contains both lists one; a directory made at its path (${result.made}) is not on the host`,
    )
  },
}

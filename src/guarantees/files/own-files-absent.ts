import { existsSync, lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'

import { broken, type Guarantee, held } from '../guarantee.ts'

/** The directories in Paddock's state that contain files for cells. */
const forCells = ['homes', 'scratch']

export const ownFilesAbsent: Guarantee = {
  id: 'own-files-absent',
  chapter: 'files',
  claim: "Paddock's own configuration, trust records, audit log, registry of cells and fleet can be neither read nor written from a cell.",
  mechanism:
    "They are in directories that are never mounted. From the state directory, only the cell's own private home, scratch directory, copy and login are mounted, and from the fleet only the home and workspace of its own agent.",
  kind: 'structural',
  why: 'A cell cannot change what the next cell may do, because it has no path to where that is stored.',
  fails: ["Programs that run as you outside a cell can write there. Paddock's state is only as safe as your account."],
  probe: async (bench) => {
    const { state, config, data } = bench.own
    const roots = [state, config, data]
    const files = [...roots, ...roots.flatMap(entries)]
    const secret = files.filter((each) => !forCells.includes(path.basename(each)) || path.dirname(each) !== state)
    // A project in Paddock's own scratch directory is as close to the state as a cell can get.
    const project = await bench.project()
    const name = bench.secret()
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => ({
        seen: given.secret.map((file) => {
          try {
            const { dev, ino } = fs.lstatSync(file)
            return `${dev}:${ino}`
          } catch (error) {
            return (error as NodeJS.ErrnoException).code ?? 'error'
          }
        }),
        made: given.roots.map((each) => attempt(() => fs.writeFileSync(`${each}/${given.name}`, 'x'))),
        project: attempt(() => fs.readFileSync(`${given.project}/README`)),
      }),
      { secret, roots, project, name },
      { project },
    )
    if (result.project !== 'ok') return broken(`the probe could not read its own project: ${result.project}`)
    const seen = secret.filter((file, index) => {
      const stat = lstatSync(file, { throwIfNoEntry: false })
      return stat !== undefined && `${stat.dev}:${stat.ino}` === result.seen[index]
    })
    if (seen.length > 0) return broken(`in the cell: ${seen.slice(0, 8).join(', ')}`)
    const deeper = secret.filter((file, index) => !roots.includes(file) && result.seen[index] !== 'ENOENT')
    if (deeper.length > 0) return broken(`not absent: ${deeper.slice(0, 8).join(', ')}`)
    // If these directories are in the home, their paths in the cell are in its private home, which is writable.
    if (roots.some((each) => existsSync(path.join(each, name)))) return broken("a file of the cell is among Paddock's own files")
    return held(
      `${secret.length} of Paddock's own files and directories, checked by path: none exists; files made at their paths (${result.made.join(', ')}) are not on the host`,
    )
  },
}

function entries(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).map((each) => path.join(directory, each)) : []
}

import { lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'

export const projectFileFixed: Guarantee = {
  id: 'project-file-fixed',
  chapter: 'trust',
  claim: 'A cell can neither change, replace nor remove the .paddock.yaml of its project, and one that it creates does not stay.',
  mechanism: 'A read-only mount on the file. A new one is quarantined when the cell ends.',
  kind: 'structural',
  why: 'A mount point can be neither written, renamed nor removed (EROFS, EBUSY), so one cell can never decide what the next one may do.',
  fails: [
    'A new one exists until the cell ends. Paddock reads it only if you trust it by its content.',
    'You copy a file of the agent there yourself: then it needs your trust again.',
  ],
  probe: async (bench) => {
    const text = 'schemaVersion: 1\nrun: {}\n'
    const [present, absent] = [await bench.project({ '.paddock.yaml': text }), await bench.project()]
    const results = await Promise.all(
      [present, absent].map((project) =>
        bench.inside(
          ({ fs, attempt }) => {
            const file = '.paddock.yaml'
            fs.writeFileSync('other', 'planted')
            fs.mkdirSync('directory')
            return {
              written: attempt(() => fs.writeFileSync(file, 'planted')),
              appended: attempt(() => fs.appendFileSync(file, 'planted')),
              cut: attempt(() => fs.truncateSync(file, 0)),
              'replaced by a rename': attempt(() => fs.renameSync('other', file)),
              'renamed away': attempt(() => fs.renameSync(file, 'away')),
              removed: attempt(() => fs.unlinkSync(file)),
              'a link made': attempt(() => fs.symlinkSync('other', file)),
              'a hard link made': attempt(() => fs.linkSync('other', file)),
              'a directory made': attempt(() => fs.mkdirSync(file)),
              'its mode changed': attempt(() => fs.chmodSync(file, 0o777)),
              'something else written': attempt(() => fs.writeFileSync('control', 'x')),
            }
          },
          null,
          { project },
        ),
      ),
    )
    const stands = (project: string): string | null => {
      const file = path.join(project, '.paddock.yaml')
      const stat = lstatSync(file, { throwIfNoEntry: false })
      return stat === undefined ? null : stat.isFile() ? readFileSync(file, 'utf8') : 'no plain file'
    }
    const now = [stands(present), stands(absent)]
    if (now[0] !== text) return broken(`the .paddock.yaml of a project was changed from a cell (${JSON.stringify(now[0])?.slice(0, 60)})`)
    if (now[1] !== null) return broken('a cell created a .paddock.yaml that its project did not have')
    const done = results
      .slice(0, 1)
      .flatMap(({ result }) => Object.entries(result).filter(([what, outcome]) => what !== 'something else written' && outcome === 'ok'))
    if (done.length > 0) return broken(`in the cell the file could be ${done[0]?.[0]}`)
    if (results.some(({ result }) => result['something else written'] !== 'ok'))
      return broken('the project could not be written to at all, so the probe is inconclusive')
    return held(
      `ten ways to change it: none worked (${[...new Set(results.slice(0, 1).flatMap(({ result }) => Object.values(result)))].filter((each) => each !== 'ok').join(', ')}); one that a cell created was gone at its end; another file was created`,
    )
  },
}

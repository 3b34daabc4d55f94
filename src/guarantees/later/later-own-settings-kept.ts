import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

export const ownSettingsKept: Guarantee = {
  id: 'later-own-settings-kept',
  chapter: 'later',
  claim:
    "A cell can neither change nor create the project's .paddock.yaml, so it decides neither its own permissions nor those of the next cell.",
  mechanism:
    'The path is read-only in a cell, whether the file exists or not. The file takes effect only after paddock trust has recorded its hash, where no cell can write.',
  kind: 'structural',
  why: 'There are two independent mechanisms: the file cannot be changed, and Paddock would not obey a changed file.',
  fails: ['You trust a file without reading it.'],
  probe: async (bench) => {
    const [having, without] = [await bench.project({ '.paddock.yaml': 'as it was' }), await bench.project()]
    const tried: Record<string, string> = {}
    for (const [name, project] of Object.entries({ having, without })) {
      const { result } = await bench.inside(
        ({ fs, attempt }) => {
          fs.writeFileSync('mine', 'bad')
          return {
            write: attempt(() => fs.writeFileSync('.paddock.yaml', 'bad')),
            append: attempt(() => fs.appendFileSync('.paddock.yaml', 'bad')),
            unlink: attempt(() => fs.unlinkSync('.paddock.yaml')),
            'rename over': attempt(() => fs.renameSync('mine', '.paddock.yaml')),
            'rename away': attempt(() => fs.renameSync('.paddock.yaml', 'moved')),
            link: attempt(() => fs.symlinkSync('mine', '.paddock.yaml')),
          }
        },
        null,
        { project },
      )
      for (const [what, outcome] of Object.entries(result)) tried[`${what}, ${name} one`] = outcome
    }
    const settings = path.join(having, '.paddock.yaml')
    if (!existsSync(settings) || readFileSync(settings, 'utf8') !== 'as it was') return broken("the project's .paddock.yaml was changed")
    if (existsSync(path.join(without, '.paddock.yaml'))) return broken('a project without a .paddock.yaml now has one')
    if (!existsSync(path.join(having, 'mine'))) return broken('the cell could not write to its project, so the probe is inconclusive')
    const finding = unlessAll(tried, ['EROFS', 'EBUSY', 'EEXIST', 'EXDEV'])
    return finding ?? held(`in a project with a .paddock.yaml and in one without it: ${countOutcomes(tried)}`)
  },
}

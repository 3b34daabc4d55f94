import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

export const ownSettingsKept: Guarantee = {
  id: 'later-own-settings-kept',
  chapter: 'later',
  claim:
    "A cell cannot change the project's .paddock.yaml, and one that it creates does not stay, so it decides neither its own permissions nor those of the next cell.",
  mechanism:
    'The file is read-only in a cell, and a new one is quarantined when the cell ends. It takes effect only after paddock trust has recorded its hash, where no cell can write.',
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
      if (name === 'having') Object.assign(tried, result)
    }
    const settings = path.join(having, '.paddock.yaml')
    if (!existsSync(settings) || readFileSync(settings, 'utf8') !== 'as it was') return broken("the project's .paddock.yaml was changed")
    if (existsSync(path.join(without, '.paddock.yaml'))) return broken('a project without a .paddock.yaml now has one')
    if (!existsSync(path.join(having, 'mine'))) return broken('the cell could not write to its project, so the probe is inconclusive')
    const finding = unlessAll(tried, ['EROFS', 'EBUSY', 'EEXIST', 'EXDEV'])
    return (
      finding ?? held(`changes to a .paddock.yaml: ${countOutcomes(tried)}; a new one in another project was gone when the cell had ended`)
    )
  },
}

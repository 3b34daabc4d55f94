import { type Guarantee, held } from '../guarantee.ts'
import { attack } from '../probe/attack.ts'
import { countOutcomes } from '../probe/outcomes.ts'

export const laterParentsNotReplaced: Guarantee = {
  id: 'later-parents-not-replaced',
  chapter: 'later',
  claim: 'A cell cannot move a directory that contains files that run later and put another directory in its place.',
  mechanism: "Every directory between the project's root and a protected path is a separate mount point.",
  kind: 'structural',
  why: 'A file is found by its path, so protecting it would be useless if a directory above it could be renamed. None can (EBUSY).',
  fails: ["The parent of the project's own directory is not visible in the cell."],
  probe: async (bench) => {
    const { finding, tried } = await attack(bench, ['EBUSY', 'EXDEV'], ({ fs, attempt }, _) => {
      const tried: Record<string, string> = {}
      for (const place of ['.git', 'sub', 'sub/deep']) {
        tried[`away ${place}`] = attempt(() => fs.renameSync(place, 'moved'))
        fs.mkdirSync('mine', { recursive: true })
        tried[`over ${place}`] = attempt(() => fs.renameSync('mine', place)).replace('ENOTEMPTY', 'EBUSY')
        tried[`under ${place}`] = attempt(() => fs.renameSync(place, 'mine/moved'))
      }
      return tried
    })
    return (
      finding ??
      held(`renames of .git, sub and sub/deep, which contain files that run later, away, over and elsewhere: ${countOutcomes(tried)}`)
    )
  },
}

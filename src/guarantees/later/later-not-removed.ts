import { type Guarantee, held } from '../guarantee.ts'
import { attack } from '../probe/attack.ts'
import { countOutcomes } from '../probe/outcomes.ts'

export const laterNotRemoved: Guarantee = {
  id: 'later-not-removed',
  chapter: 'later',
  claim: 'A cell cannot remove a file that runs later, or empty such a directory, in order to create it again.',
  mechanism: 'Each is a read-only mount point.',
  kind: 'structural',
  why: 'A mount point cannot be unlinked in its own namespace (EBUSY), and nothing can be unlinked inside a read-only one (EROFS).',
  fails: ['A cell may delete the rest of the project, including the history of its repository.'],
  probe: async (bench) => {
    const { finding, tried } = await attack(
      bench,
      ['EBUSY', 'EROFS', 'ENOTEMPTY', 'still there'],
      ({ fs, sh, attempt }, { places, files }) => {
        const tried: Record<string, string> = {}
        for (const file of files) tried[`unlink ${file}`] = attempt(() => fs.unlinkSync(file))
        for (const place of places.filter((each) => fs.statSync(each, { throwIfNoEntry: false })?.isDirectory() === true))
          tried[`rmdir ${place}`] = attempt(() => fs.rmdirSync(place))
        for (const place of ['.git', '.git/hooks', '.vscode', 'sub', 'sub/deep']) {
          sh(`rm -rf ${place}`)
          tried[`rm -rf ${place}`] = fs.existsSync(place) ? 'still there' : 'ok'
        }
        for (const file of files) if (!fs.existsSync(file)) tried[`after rm -rf ${file}`] = 'gone'
        return tried
      },
    )
    return (
      finding ??
      held(
        `unlink, rmdir and rm -rf of files that run later and of directories above them, ${Object.keys(tried).length} attempts: ${countOutcomes(tried)}`,
      )
    )
  },
}

import { type Guarantee, held } from '../guarantee.ts'
import { attack } from '../probe/attack.ts'
import { countOutcomes } from '../probe/outcomes.ts'

export const laterNotReplaced: Guarantee = {
  id: 'later-not-replaced',
  chapter: 'later',
  claim: 'A cell cannot replace a file or directory that runs later by renaming over it, renaming it away, or exchanging it.',
  mechanism: 'Each of them is a mount point, and so is every directory above it in the project.',
  kind: 'structural',
  why: 'The kernel does not rename a mount point, rename anything onto one (rename(2), EBUSY), or rename between mounts (EXDEV).',
  fails: ['Names that are not on the list.'],
  probe: async (bench) => {
    const { finding, tried } = await attack(bench, ['EBUSY', 'EXDEV', 'EROFS'], ({ fs, perl, attempt }, { places, files }) => {
      const tried: Record<string, string> = {}
      const exchange = 'print syscall($ARGV[0] eq "arm64" ? 276 : 316, -100, $ARGV[1], -100, $ARGV[2], 2) == -1 ? $!+0 : "ok"'
      const codes: Record<string, string> = { 16: 'EBUSY', 18: 'EXDEV', 30: 'EROFS' }
      for (const [at, place] of [...places, ...files].entries()) {
        const mine = `mine-${at}`
        const isDirectory = fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
        if (isDirectory) fs.mkdirSync(mine)
        else fs.writeFileSync(mine, 'bad')
        tried[`over ${place}`] = attempt(() => fs.renameSync(mine, place))
        tried[`away ${place}`] = attempt(() => fs.renameSync(place, 'taken'))
        const exchanged = perl(exchange, process.arch, mine, place)?.stdout
        if (exchanged !== undefined) tried[`exchange ${place}`] = codes[exchanged] ?? exchanged
        // After an exchange, a mount can be in the way.
        attempt(() => fs.rmSync(mine, { recursive: true, force: true }))
      }
      return tried
    })
    return (
      finding ??
      held(`${Object.keys(tried).length} renames over, away from and in exchange with files that run later: ${countOutcomes(tried)}`)
    )
  },
}

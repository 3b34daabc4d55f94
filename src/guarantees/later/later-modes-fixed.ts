import { type Guarantee, held } from '../guarantee.ts'
import { attack } from '../probe/attack.ts'
import { countOutcomes } from '../probe/outcomes.ts'

export const laterModesFixed: Guarantee = {
  id: 'later-modes-fixed',
  chapter: 'later',
  claim: 'A cell cannot change the mode, owner, times or attributes of files that run later, so it cannot make a hook executable.',
  mechanism: 'The same read-only mounts.',
  kind: 'structural',
  why: 'Changes to attributes go through the mount just like changes to contents, and fail in the same way (EROFS).',
  fails: ['Names that are not on the list.'],
  probe: async (bench) => {
    const { finding, tried } = await attack(bench, ['EROFS', 'EPERM', 'EINVAL'], ({ fs, attempt, sh }, { files, places }) => {
      const tried: Record<string, string> = {}
      for (const file of [...new Set([...files, ...places])]) {
        tried[`chmod ${file}`] = attempt(() => fs.chmodSync(file, 0o777))
        tried[`times ${file}`] = attempt(() => fs.utimesSync(file, 1, 1))
        const descriptor = fs.openSync(file, 'r')
        tried[`fchmod ${file}`] = attempt(() => fs.fchmodSync(descriptor, 0o777))
        fs.closeSync(descriptor)
      }
      tried['chmod -R'] = sh('chmod -R 777 .vscode 2>&1')?.stdout.includes('Read-only') ? 'EROFS' : 'ok'
      return tried
    })
    return (
      finding ?? held(`chmod, fchmod and new times on files that run later, ${Object.keys(tried).length} attempts: ${countOutcomes(tried)}`)
    )
  },
}

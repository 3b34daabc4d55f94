import { type Guarantee, held } from '../guarantee.ts'
import { attack } from '../probe/attack.ts'
import { countOutcomes } from '../probe/outcomes.ts'

export const laterNotLinked: Guarantee = {
  id: 'later-not-linked',
  chapter: 'later',
  claim: 'A cell cannot create a second name for a file that runs later and write to it under that name, nor replace the file with a link.',
  mechanism: 'Each such file is a separate mount. Hard links work only within one mount, and names in this one are read-only.',
  kind: 'structural',
  why: 'A second name would not be covered by the read-only mount, so the kernel refuses to create it (link(2), EXDEV).',
  fails: ['With --deps rw: a hard link to such a file that was in the project before.'],
  probe: async (bench) => {
    const { finding, tried } = await attack(bench, ['EXDEV', 'EEXIST', 'EROFS'], ({ fs, attempt }, { files, places }) => {
      const tried: Record<string, string> = {}
      files.forEach((file, index) => {
        tried[`hard link to ${file}`] = attempt(() => fs.linkSync(file, `second-name-${index}`))
        if (tried[`hard link to ${file}`] === 'ok') fs.writeFileSync(`second-name-${index}`, 'bad')
        const descriptor = fs.openSync(file, 'r')
        tried[`through its descriptor ${file}`] = attempt(() => fs.linkSync(`/proc/self/fd/${descriptor}`, `third-name-${index}`))
        fs.closeSync(descriptor)
      })
      for (const place of places) {
        tried[`hard link at ${place}`] = attempt(() => fs.linkSync('README', place))
        tried[`link at ${place}`] = attempt(() => fs.symlinkSync('README', place))
      }
      for (const place of ['.claude/hooks', '.vscode/settings.json'])
        tried[`link at ${place}`] = attempt(() => fs.symlinkSync('../../README', place))
      return tried
    })
    return (
      finding ??
      held(`${Object.keys(tried).length} hard and symbolic links to and in place of files that run later: ${countOutcomes(tried)}`)
    )
  },
}

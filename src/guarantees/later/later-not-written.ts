import { type Guarantee, held } from '../guarantee.ts'
import { attack } from '../probe/attack.ts'
import { countOutcomes } from '../probe/outcomes.ts'

export const laterNotWritten: Guarantee = {
  id: 'later-not-written',
  chapter: 'later',
  claim:
    'A cell cannot change the content of a file that other programs of the host run or obey later: git hooks and configuration, .envrc, editor and agent settings.',
  mechanism: "A read-only bind mount covers each of them, at the project's root and at any depth.",
  kind: 'structural',
  why: 'Writing, appending, truncating and allocating go through the mount, which refuses them (EROFS) for every owner of the file.',
  fails: [
    'Names that are not on the list (docs/reference/protected-names.md): a list of names is never complete.',
    'Files that run only when you ask for it (package.json, Makefile, scripts) stay writable and are reported at the end.',
  ],
  probe: async (bench) => {
    const { finding, tried } = await attack(bench, ['EROFS'], ({ fs, sh, attempt }, { files }) => {
      const tried: Record<string, string> = {}
      for (const file of files) {
        tried[`write ${file}`] = attempt(() => fs.writeFileSync(file, 'bad'))
        tried[`append ${file}`] = attempt(() => fs.appendFileSync(file, 'bad'))
        tried[`truncate ${file}`] = attempt(() => fs.truncateSync(file, 0))
        tried[`open r+ ${file}`] = attempt(() => fs.openSync(file, 'r+'))
        const descriptor = fs.openSync(file, 'r')
        tried[`through /proc ${file}`] = attempt(() => fs.writeFileSync(`/proc/self/fd/${descriptor}`, 'bad'))
        fs.closeSync(descriptor)
        tried[`copy over ${file}`] = sh(`cp README ${file} 2>&1`)?.stdout.includes('Read-only') ? 'EROFS' : 'ok'
      }
      return tried
    })
    return (
      finding ??
      held(
        `${Object.keys(tried).length} attempts to write, append, truncate, open, copy over: ${countOutcomes(tried)}; an ordinary file was written`,
      )
    )
  },
}

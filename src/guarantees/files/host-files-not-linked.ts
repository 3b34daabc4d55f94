import { lstatSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

export const hostFilesNotLinked: Guarantee = {
  id: 'host-files-not-linked',
  chapter: 'files',
  claim: 'A cell cannot hard-link a read-only file into the project in order to write to it or keep it.',
  mechanism: 'Each mount of a cell is separate, and the kernel allows links only within one mount (link(2), EXDEV).',
  kind: 'structural',
  why: 'This also applies if both are on the same file system of the host, and for every owner of the file.',
  fails: ['A file of the project with other names outside of it: see shared-files-apart.'],
  probe: async (bench) => {
    const shown = await bench.directory()
    const file = path.join(shown, 'file')
    await writeFile(file, 'as it was', { mode: 0o666 })
    const project = await bench.project()
    const { result } = await bench.inside(
      ({ fs, sh, attempt }, given) => {
        const descriptor = fs.openSync(given.file, 'r')
        const tried = {
          'a --ro file': attempt(() => fs.linkSync(given.file, 'linked')),
          'by way of its descriptor': attempt(() => fs.linkSync(`/proc/self/fd/${descriptor}`, 'linked-descriptor')),
          'a program of the system': attempt(() => fs.linkSync('/bin/sh', 'linked-system')),
          'a made file of /etc': attempt(() => fs.linkSync('/etc/passwd', 'linked-made')),
          'by linkat with AT_SYMLINK_FOLLOW': sh(`ln -L /proc/self/fd/3 linked-follow 3<${given.file}`)?.code === 0 ? 'ok' : 'EXDEV',
        }
        return { tried, control: attempt(() => fs.linkSync('README', 'linked-own')) }
      },
      { file },
      { project, mounts: [{ source: shown, access: 'ro' }] },
    )
    if (result.control !== 'ok') return broken(`a hard link within the project could not be made: ${result.control}`)
    if (lstatSync(file).nlink !== 1) return broken('a file of the host has a second name in the project')
    const finding = unlessAll(result.tried, ['EXDEV', 'EPERM'])
    return (
      finding ?? held(`hard links in the project to files of other mounts: ${countOutcomes(result.tried)}; one within the project was made`)
    )
  },
}

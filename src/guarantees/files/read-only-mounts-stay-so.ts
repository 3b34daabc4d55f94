import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'
import { differences, snapshot } from '../probe/probe-snapshot.ts'

export const readOnlyMounts: Guarantee = {
  id: 'read-only-mounts-stay-so',
  chapter: 'files',
  claim: 'A cell cannot change what you mount with --ro: not its content, names, modes or times.',
  mechanism: 'A read-only bind mount that the cell cannot remount.',
  kind: 'structural',
  why: 'Every change to a file system goes through the mount that the path was looked up in, and that mount refuses it.',
  fails: [
    'The same directory is also accessible to another cell, mounted with --rw or as its project.',
    'A Unix socket in it accepts connections, which a read-only mount does not prevent.',
  ],
  probe: async (bench) => {
    const [shown, given] = [await bench.directory(), await bench.directory()]
    await mkdir(path.join(shown, 'sub'))
    for (const each of ['file', 'sub/file']) await writeFile(path.join(shown, each), 'as it was', { mode: 0o666 })
    await writeFile(path.join(given, 'file'), 'as it was')
    const before = snapshot(shown)
    const project = await bench.project()
    const { result } = await bench.inside(
      ({ fs, attempt }, { shown, given }) => {
        const at = (name: string): string => `${shown}/${name}`
        const read = fs.readFileSync(at('file'), 'utf8')
        const tried: Record<string, string> = {
          write: attempt(() => fs.writeFileSync(at('file'), 'changed')),
          append: attempt(() => fs.appendFileSync(at('sub/file'), 'changed')),
          truncate: attempt(() => fs.truncateSync(at('file'), 0)),
          create: attempt(() => fs.writeFileSync(at('new'), 'new')),
          mkdir: attempt(() => fs.mkdirSync(at('sub/new'))),
          symlink: attempt(() => fs.symlinkSync('/', at('link'))),
          link: attempt(() => fs.linkSync(at('file'), at('linked'))),
          rename: attempt(() => fs.renameSync(at('file'), at('renamed'))),
          'rename out': attempt(() => fs.renameSync(at('file'), 'taken')),
          unlink: attempt(() => fs.unlinkSync(at('file'))),
          rmdir: attempt(() => fs.rmdirSync(at('sub'))),
          chmod: attempt(() => fs.chmodSync(at('file'), 0o600)),
          times: attempt(() => fs.utimesSync(at('file'), 1, 1)),
          'through /proc': attempt(() => fs.writeFileSync(`/proc/self/fd/${fs.openSync(at('file'), 'r')}`, 'changed')),
        }
        return { tried, read, control: attempt(() => fs.writeFileSync(`${given}/file`, 'changed')) }
      },
      { shown, given },
      {
        project,
        mounts: [
          { source: shown, access: 'ro' },
          { source: given, access: 'rw' },
        ],
      },
    )
    const changed = differences(before, snapshot(shown))
    if (changed.length > 0) return broken(`changed on the host: ${changed.join(', ')}`)
    if (result.read !== 'as it was' || result.control !== 'ok' || (await readFile(path.join(given, 'file'), 'utf8')) !== 'changed')
      return broken(`the probe could not read what is mounted, or not write to what is mounted for writing (${result.control})`)
    const finding = unlessAll(result.tried, ['EROFS', 'EXDEV', 'EACCES'])
    return (
      finding ??
      held(
        `${Object.keys(result.tried).length} ways to change a --ro directory: ${countOutcomes(result.tried)}; writing to a --rw one worked`,
      )
    )
  },
}

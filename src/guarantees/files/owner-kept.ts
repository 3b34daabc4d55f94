import { chmod, chown, lstat, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'

/** A uid that does not own anything else on an ordinary machine. */
const somebody = 61_234

export const ownerKept: Guarantee = {
  id: 'owner-kept',
  chapter: 'files',
  claim:
    'A file that a cell makes belongs to the owner of the directory that the cell was given, and never to root unless root owns that directory.',
  mechanism:
    "As an ordinary user, the cell has your own uid. As root, idmapped mounts (mount_setattr(2)) map only the directory's owner to the cell's uid.",
  kind: 'structural',
  why: "The cell's processes have no other uid on the host that could own a file.",
  fails: ["Directories in the project that belong to a different user than its root: the cell has no owner's access to them."],
  probe: async (bench) => {
    const asRoot = process.getuid?.() === 0
    const [project, given] = [await bench.project(), await bench.directory()]
    const owner = asRoot ? somebody : (process.getuid?.() ?? 0)
    await mkdir(path.join(project, 'sub'))
    // Writable for all users, so that a cell with a wrong owner could create a file.
    for (const each of [project, path.join(project, 'sub'), given]) {
      await chmod(each, 0o777)
      if (asRoot) await chown(each, owner, owner)
    }
    const { result } = await bench.inside(
      ({ fs, attempt }, directory) => ({
        file: attempt(() => fs.writeFileSync('made', 'x')),
        directory: attempt(() => fs.mkdirSync('sub/made')),
        link: attempt(() => fs.symlinkSync('made', 'made-link')),
        other: attempt(() => fs.writeFileSync(`${directory}/made`, 'x')),
        toRoot: attempt(() => fs.chownSync('made', 0, 0)),
        toOther: attempt(() => fs.chownSync('made', 12_345, 12_345)),
      }),
      given,
      { project, mounts: [{ source: given, access: 'rw' }] },
    )
    const { toRoot, toOther, ...made } = result
    const failed = Object.entries(made).filter(([, outcome]) => outcome !== 'ok')
    if (failed.length > 0)
      return broken(`the owner's own directory could not be written: ${failed.map((each) => each.join(' ')).join(', ')}`)
    const files = [...['made', 'sub/made', 'made-link'].map((each) => path.join(project, each)), path.join(given, 'made')]
    for (const each of files) {
      const { uid, gid } = await lstat(each)
      if (uid !== owner || (asRoot && gid !== owner)) return broken(`${path.basename(each)} belongs to ${uid}:${gid} and not to ${owner}`)
    }
    if (toRoot === 'ok' || toOther === 'ok') return broken('a cell could give a file to another user')
    return held(
      `a file, a directory, a link in directories of uid ${owner}: all uid ${owner}; chown to root ${toRoot}, to another ${toOther}`,
    )
  },
}

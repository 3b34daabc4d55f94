import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createCopy } from '../../copy/taking/create.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'

export const copyLeavesProject: Guarantee = {
  id: 'copy-leaves-project',
  chapter: 'trust',
  claim: 'With paddock run --copy, nothing that a cell does changes the project, not even by a byte.',
  mechanism:
    "The cell has a copy at the project's path, with files and history copied and never linked. The project itself is not mounted.",
  kind: 'structural',
  why: 'A project that is not mounted cannot be written to, and a copied file shares nothing with its original.',
  fails: [
    'You apply the changes: paddock apply, after paddock review.',
    'Other writable mounts that you name. Mounts that give access to the project are refused.',
  ],
  probe: async (bench) => {
    const project = await bench.project({ 'src/one': 'one\n', 'src/deep/two': 'two\n', script: '#!/bin/sh\n' })
    const before = fingerprint(project)
    const copies = await bench.directory()
    await mkdir(copies, { recursive: true })
    const { place } = await createCopy({
      project,
      ignored: false,
      copies,
      searchPath: '/usr/local/bin:/usr/bin:/bin',
      excludes: null,
      refused: [],
    })
    const copied = fingerprint(place.tree)
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => {
        const read = fs.readFileSync(`${given.project}/src/one`, 'utf8')
        fs.writeFileSync(`${given.project}/src/one`, 'changed')
        fs.appendFileSync('script', 'changed')
        fs.chmodSync('script', 0o777)
        fs.rmSync('src/deep', { recursive: true })
        fs.writeFileSync('planted', '')
        fs.utimesSync('README', 0, 0)
        return { read, tree: attempt(() => fs.readdirSync(given.tree)) }
      },
      { project, tree: place.tree },
      { project, projectCopy: place.tree },
    )
    if (fingerprint(project) !== before) return broken('the project was changed by a cell that worked on a copy of it')
    if (result.read !== 'one\n' || fingerprint(place.tree) === copied)
      return broken("the cell did not have the copy at the project's path, so the probe is inconclusive")
    return held(
      "a cell wrote, appended, removed and changed modes and times in a copy at the project's own path: the copy is changed, the project is identical in every byte, mode and time",
    )
  },
}

/** Returns the names, contents, modes, times and inodes of all entries in a directory. */
function fingerprint(directory: string): string {
  return readdirSync(directory, { recursive: true })
    .map(String)
    .sort()
    .map((each) => {
      const file = path.join(directory, each)
      const { mode, mtimeMs, ino, nlink } = statSync(file)
      return [each, mode, mtimeMs, ino, nlink, statSync(file).isFile() ? readFileSync(file, 'base64') : ''].join(' ')
    })
    .join('\n')
}

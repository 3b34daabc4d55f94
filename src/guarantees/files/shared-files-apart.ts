import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'

/** Places of files that package managers and git share between projects, and one of any other kind. */
const files = [
  'node_modules/left/index.js',
  'packages/app/node_modules/left/index.js',
  '.venv/lib/left.py',
  'vendor/left.rb',
  'left.txt',
  '.git/objects/aa/left',
]
const [content, written] = ['as it was\n', 'written in a cell\n']

export const sharedFilesApart: Guarantee = {
  id: 'shared-files-apart',
  chapter: 'files',
  claim: 'A write of a cell does not reach another project through a hard link that is in the project when the cell starts.',
  mechanism:
    'Before a cell starts, every file in the directories that it can write to is looked at. Files with names elsewhere (pnpm, uv, git clone) are replaced by copies of themselves.',
  kind: 'structural',
  why: 'A copy is another file of the file system (inode), so no write to it can change the other one. A file that cannot be copied keeps the cell from starting.',
  fails: [
    'With --deps rw, the files stay shared.',
    'A program of the host that makes hard links into the project while a cell runs, such as pnpm install or uv sync in this project.',
    'A directory that its owner cannot read is not searched.',
  ],
  probe: async (bench) => {
    const project = await bench.project(Object.fromEntries([...files, 'own'].map((each) => [each, content])))
    const other = await bench.directory()
    const elsewhere = (file: string): string => path.join(other, file)
    for (const each of files) {
      mkdirSync(path.dirname(elsewhere(each)), { recursive: true })
      linkSync(path.join(project, each), elsewhere(each))
    }
    // Package managers and the user share files within a project too. Those stay one file.
    linkSync(path.join(project, 'own'), path.join(project, 'own-too'))
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => ({
        write: given.files.map((file) =>
          attempt(() => {
            fs.chmodSync(file, 0o644)
            fs.writeFileSync(file, given.written)
          }),
        ),
        own: attempt(() => fs.writeFileSync('own', given.written)),
      }),
      { files, written },
      { project },
    )
    const failed = [...result.write, result.own].find((each) => each !== 'ok')
    if (failed !== undefined) return broken(`the cell could not write to its own files: ${failed}`)
    const reached = files.filter((each) => readFileSync(elsewhere(each), 'utf8') !== content)
    if (reached.length > 0) return broken(`changed in another directory: ${reached.join(', ')}`)
    const lost = files.filter((each) => readFileSync(path.join(project, each), 'utf8') !== written)
    if (lost.length > 0) return broken(`not changed in the project: ${lost.join(', ')}`)
    if (readFileSync(path.join(project, 'own-too'), 'utf8') !== written || lstatSync(path.join(project, 'own')).nlink !== 2)
      return broken('two names of one file in the project are two files now')
    // A link that somebody makes from the project changes nothing in the directory of the file.
    rmSync(elsewhere('left.txt'))
    linkSync(path.join(project, 'left.txt'), elsewhere('left.txt'))
    await bench.inside(({ fs }) => fs.writeFileSync('left.txt', 'written again'), null, { project })
    if (readFileSync(elsewhere('left.txt'), 'utf8') !== written) return broken('a link that was made later leads out of the project')
    return held(
      `writes to ${files.length} files with names in another directory changed only the project; names within the project stayed one file`,
    )
  },
}

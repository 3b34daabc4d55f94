import { chmod, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held, unenforceable } from '../../guarantee.ts'

const program = new URL('./set-id-bits-cleared.pl', import.meta.url)

export const setIdBitsCleared: Guarantee = {
  id: 'set-id-bits-cleared',
  chapter: 'files',
  claim: 'If a cell changes the content of a set-user-ID file that was in the project before, the file loses the bit.',
  mechanism: 'The kernel clears the bit on a write. If a file was written through a mapping, the host clears it when the cell ends.',
  kind: 'policy',
  why: "A mapped write keeps the bit (inode(7)), which would put the agent's code into a program that runs with its owner's privileges.",
  fails: [
    'The file keeps its mode until the cell ends.',
    'Files in node_modules and the like are checked too, but nothing after the first 500,000 entries is.',
  ],
  probe: async (bench) => {
    const project = await bench.project({ tool: 'x'.repeat(4096) })
    const tool = path.join(project, 'tool')
    await chmod(tool, 0o4755)
    if (((await stat(tool)).mode & 0o4000) === 0) return unenforceable('no set-user-ID file can be made in the scratch directory')
    const { result } = await bench.inside(
      ({ perl }, given) => perl(given.program, given.name),
      { program: await readFile(program, 'utf8'), name: process.arch },
      { project },
    )
    if (result === null) return unenforceable('the cell has no Perl, so a file could not be mapped')
    if (!(await readFile(tool, 'utf8')).startsWith('a project'))
      return broken(`the file could not be written to: ${result.stderr.slice(0, 200)}`)
    if (((await stat(tool)).mode & 0o6000) !== 0) return broken('a changed program is still set-user-ID')
    return held('a set-user-ID file written through a shared mapping: the bit was gone when the cell had ended')
  },
}

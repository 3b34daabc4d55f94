import { chmod, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held, unenforceable } from '../../guarantee.ts'

const program = new URL('./set-id-bits-cleared.pl', import.meta.url)

export const setIdBitsCleared: Guarantee = {
  id: 'set-id-bits-cleared',
  chapter: 'files',
  claim: 'A set-user-ID file that stood in the project before is not one any more once a cell has changed what is in it.',
  mechanism:
    'The kernel takes the bit away at a write; where a file was written to through a mapping, the host does so when the cell ends.',
  kind: 'policy',
  why: 'A mapped write leaves the bit (inode(7)), and would put the agent’s code into a program that runs with somebody’s rights.',
  fails: [
    'Until the end of the cell the file keeps the changed mode.',
    'In node_modules and the like it is found as well; beyond 500,000 entries nothing is.',
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
    return held('a set-user-ID file written to through a shared mapping: the bit was gone when the cell had ended')
  },
}

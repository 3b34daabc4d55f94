import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

export const linksLeadNowhere: Guarantee = {
  id: 'links-lead-nowhere',
  chapter: 'files',
  claim: 'A symbolic link in the project, made by you or by a cell, gives a cell access to nothing that it cannot see anyway.',
  mechanism: "The kernel resolves links in the cell's own mount namespace, inside the cell's own root.",
  kind: 'structural',
  why: "A symlink is only a path, which is resolved inside the cell's root (symlink(7)).",
  fails: ['Programs on the host that follow links in the project, which a cell may have made.'],
  notAt: ['L1'],
  probe: async (bench) => {
    const secret = bench.secret()
    const elsewhere = await bench.directory()
    await mkdir(path.join(elsewhere, 'sub'))
    await writeFile(path.join(elsewhere, 'sub/canary'), secret, { mode: 0o644 })
    const project = await bench.project()
    const relative = path.relative(project, elsewhere)
    await symlink(path.join(elsewhere, 'sub/canary'), path.join(project, 'host-absolute'))
    await symlink(`${relative}/sub/canary`, path.join(project, 'host-relative'))
    await symlink(elsewhere, path.join(project, 'host-directory'))
    await symlink('host-directory/sub', path.join(project, 'host-chain'))
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => {
        const tried: Record<string, string> = {}
        const look = (file: string): void => {
          tried[`read ${file}`] = attempt(() => fs.readFileSync(file))
          tried[`write ${file}`] = attempt(() => fs.writeFileSync(file, 'changed'))
        }
        for (const each of ['host-absolute', 'host-relative', 'host-directory/sub/canary', 'host-chain/canary']) look(each)
        const make = (name: string, to: string, below = ''): void => {
          fs.symlinkSync(to, name)
          look(name + below)
        }
        make('absolute', `${given.elsewhere}/sub/canary`)
        make('relative', `${given.relative}/sub/canary`)
        make('far-up', `${'../'.repeat(30)}${given.elsewhere.slice(1)}/sub/canary`)
        make('directory', given.elsewhere, '/sub/canary')
        make('chain', 'directory', '/sub/canary')
        make('root', '/', `${given.elsewhere}/sub/canary`)
        make('proc-root', '/proc/self/root', `${given.elsewhere}/sub/canary`)
        make('proc-cwd', '/proc/self/cwd', `/${given.relative}/sub/canary`)
        fs.symlinkSync('README', 'inside')
        return { tried, inside: attempt(() => fs.readFileSync('inside')) }
      },
      { elsewhere, relative },
      { project },
    )
    if (result.inside !== 'ok') return broken(`a link to a file of the project could not be followed: ${result.inside}`)
    const finding = unlessAll(result.tried, ['ENOENT'])
    if (finding !== null) return finding
    if ((await readFile(path.join(elsewhere, 'sub/canary'), 'utf8')) !== secret) return broken('a file outside the project was changed')
    return held(
      `12 links to a file of the host, absolute, relative, in chains and through /proc, read and written: ${countOutcomes(result.tried)}`,
    )
  },
}

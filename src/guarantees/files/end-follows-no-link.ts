import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { holdCell } from '../probe/held-cell.ts'
import { differences, snapshot } from '../probe/probe-snapshot.ts'

export const endFollowsNoLink: Guarantee = {
  id: 'end-follows-no-link',
  chapter: 'files',
  claim: 'When Paddock searches the project after a cell, no link that the cell left there leads it out of the project.',
  mechanism:
    "The search opens one name at a time relative to an open directory, without following links (O_NOFOLLOW), and renames through that directory's descriptor.",
  kind: 'policy',
  why: 'If a name is swapped for a link between the check and the rename, the kernel refuses it, so there is no race to win.',
  fails: ['Your own programs follow links in the project.'],
  probe: async (bench) => {
    const victim = await bench.directory()
    await mkdir(path.join(victim, 'deep/.vscode'), { recursive: true })
    await writeFile(path.join(victim, 'deep/.envrc'), 'of the host')
    await writeFile(path.join(victim, '.mcp.json'), '{}')
    const project = await bench.project({ 'swapped/deep/file': '', 'flip/deep/file': '' })
    await symlink(victim, path.join(project, 'was-there'))
    const before = snapshot(victim)
    // Creates its links only after the swapping has started, because a directory that is swapped during a start would be refused.
    const planting = await holdCell(
      bench,
      bench.command(async ({ fs }, given) => {
        process.stdout.write('ready\n')
        await new Promise<void>((resolve) => process.stdin.once('end', resolve).resume())
        fs.symlinkSync(given, 'link')
        fs.renameSync('swapped', 'away')
        fs.symlinkSync(given, 'swapped')
        fs.mkdirSync('real/deep/.vscode', { recursive: true })
        fs.symlinkSync(`${given}/deep`, 'real/deep/link')
        fs.symlinkSync(`${given}/deep/.vscode`, 'real/.idea')
      }, victim),
      { project },
    )
    // Another cell of the same project repeatedly swaps a directory for a link while the first cell's tree is searched.
    const swapping = await holdCell(
      bench,
      bench.command(async ({ fs }, given) => {
        let swaps = 0
        let ended = false
        process.stdin.once('end', () => {
          ended = true
        })
        process.stdin.resume()
        process.stdout.write('ready\n')
        while (!ended) {
          fs.renameSync('flip', 'flop')
          fs.symlinkSync(given, 'flip')
          await new Promise((resolve) => setImmediate(resolve))
          fs.unlinkSync('flip')
          fs.renameSync('flop', 'flip')
          swaps++
        }
        return swaps
      }, victim),
      { project },
    )
    const { report } = await planting.end()
    const swaps = Number(/\u0001(\d+)\n?$/.exec((await swapping.end()).stdout)?.[1] ?? 0)
    if (swaps === 0) return broken('the swapping cell swapped nothing, so the probe is inconclusive')
    const changed = differences(before, snapshot(victim))
    if (changed.length > 0) return broken(`outside of the project: ${changed.join(', ')}`)
    const aside = report.changes?.quarantined.map((each) => each.path).sort() ?? []
    if (!aside.includes('real/deep/.vscode')) return broken('the project was not searched, so the probe is inconclusive')
    const outside = aside.filter((each) => /(link|swapped|was-there|flip)/.test(each))
    if (outside.length > 0) return broken(`reported through a link: ${outside.join(', ')}`)
    return held(
      `5 links to a directory with .vscode, .envrc and .mcp.json, and one that was swapped in ${swaps} times during the search: nothing there was renamed; in the project ${aside.join(', ')} was`,
    )
  },
}

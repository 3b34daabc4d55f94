import { existsSync, rmdirSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

export const systemReadOnly: Guarantee = {
  id: 'system-read-only',
  chapter: 'files',
  claim:
    'A cell cannot change the system or toolchains: /usr, /etc, /opt, /dev and the root directory are read-only, even for a cell that root started, and what a cell installs where you do is in a layer of its own.',
  mechanism:
    'Read-only bind mounts, overlays of the directories of your home in which you install programs (overlayfs), and a root that is remounted read-only once all mount points exist (mount(2), MS_RDONLY).',
  kind: 'structural',
  why: 'A read-only mount refuses before permissions are checked (EROFS), so the owner of the file does not matter.',
  fails: ['A directory that you mount with --rw is writable.'],
  probe: async (bench) => {
    const system = bench.machine.system.paths.filter((each) => each.link === null).map((each) => each.path)
    // At L1, changes in the home are lost.
    const own = bench.posture === 'L1' ? [] : bench.machine.system.toolchains
    const toolchains = own.filter((each) => each.installs !== true).map((each) => each.target)
    const installs = own.filter((each) => each.installs === true)
    const name = bench.secret()
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => {
        const tried: Record<string, string> = {}
        for (const each of given.places) {
          if (!fs.existsSync(each)) continue
          const { mode } = fs.statSync(each)
          // Sets the mode that the file already has, which is harmless if it is not refused.
          tried[`chmod ${each}`] = attempt(() => fs.chmodSync(each, mode & 0o777))
          if (!fs.statSync(each).isDirectory()) continue
          const made = `${each}/${given.name}`
          tried[`mkdir ${made}`] = attempt(() => fs.mkdirSync(made))
          if (tried[`mkdir ${made}`] === 'ok') fs.rmdirSync(made)
        }
        for (const each of given.installs) attempt(() => fs.mkdirSync(`${each}/${given.name}`))
        return { tried, control: attempt(() => fs.writeFileSync('/tmp/control', 'x')) }
      },
      {
        name,
        installs: installs.map((each) => each.target),
        places: [...system, ...toolchains, '/', '/dev', '/etc', '/usr/bin', '/usr/lib', '/etc/passwd', '/etc/resolv.conf'],
      },
    )
    if (result.control !== 'ok') return broken(`the probe could not write to its own /tmp: ${result.control}`)
    const reached = installs.filter((each) => existsSync(path.join(each.source, name)))
    for (const each of reached) rmdirSync(path.join(each.source, name))
    if (reached.length > 0) return broken(`a directory made in the cell is on the host: ${reached[0]?.source}`)
    const finding = unlessAll(result.tried, ['EROFS'])
    return (
      finding ??
      held(
        `new directories in ${system.length + toolchains.length + 7} places of the system, and setting their modes again: ${countOutcomes(result.tried)}`,
      )
    )
  },
}

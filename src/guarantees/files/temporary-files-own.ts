import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { holdCell } from '../probe/held-cell.ts'
import { unlessAll } from '../probe/outcomes.ts'

const places = ['/tmp', '/var/tmp', '/dev/shm', '/run']

export const scratchOwn: Guarantee = {
  id: 'temporary-files-own',
  chapter: 'files',
  claim:
    "A cell's /tmp, /var/tmp, /run, /dev/shm and temporary home are private: they share nothing with the host or another cell, and nothing in them is kept.",
  mechanism: "Each is an empty tmpfs in the cell's mount namespace, and is gone when the namespace ends.",
  kind: 'structural',
  why: 'These files appear in no other directory of the machine, so other processes can neither guess their names nor wait for them.',
  fails: ['Root on the host can look inside through /proc/PID/root while the cell runs.'],
  probe: async (bench) => {
    const canaries: string[] = []
    for (const each of places) {
      const made = await mkdtemp(path.join(each, 'paddock-verify-')).catch(() => null)
      if (made !== null) canaries.push(made)
    }
    const name = bench.secret()
    try {
      for (const each of canaries) await writeFile(path.join(each, 'file'), 'x', { mode: 0o644 })
      const other = await holdCell(
        bench,
        bench.command(
          async ({ fs, env }, given) => {
            for (const each of [...given.places.filter((place) => place !== '/run'), env['HOME'] ?? ''])
              fs.writeFileSync(`${each}/${given.name}`, 'x')
            process.stdout.write('ready\n')
            await new Promise<void>((resolve) => process.stdin.once('end', resolve).resume())
          },
          { places, name },
        ),
      )
      const onHost = [...places, bench.machine.user.home].filter((each) => existsSync(path.join(each, name)))
      const { result } = await bench.inside(
        ({ fs, env, attempt }, given) => ({
          tried: Object.fromEntries(
            [...given.canaries, ...[...given.places, env['HOME'] ?? ''].map((each) => `${each}/${given.name}`)].map(
              (each) => [each, attempt(() => fs.lstatSync(each))] as const,
            ),
          ),
          control: attempt(() => fs.writeFileSync(`/tmp/${given.name}`, 'x', { flag: 'wx' })),
        }),
        { canaries, places, name },
      )
      await other.end()
      if (onHost.length > 0) return broken(`a file of a cell is on the host, in ${onHost.join(', ')}`)
      if (result.control !== 'ok' && result.control !== 'EEXIST')
        return broken(`the probe could not write to its own /tmp: ${result.control}`)
      const finding = unlessAll(result.tried, ['ENOENT'])
      return (
        finding ??
        held(
          `files of the host in ${canaries.length} such places and of another cell in 4: ENOENT; none of the cells' files were on the host`,
        )
      )
    } finally {
      for (const each of canaries) await rm(each, { recursive: true, force: true })
    }
  },
}

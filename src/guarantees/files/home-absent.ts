import { lstatSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { broken, type Guarantee, held } from '../guarantee.ts'

export const homeAbsent: Guarantee = {
  id: 'home-absent',
  chapter: 'files',
  claim: 'From your home directory, a cell sees only the project, toolchains, and what you mount.',
  mechanism: 'A private home (a directory for the project and agent, or an empty tmpfs) is mounted at its path instead of yours.',
  kind: 'structural',
  why: 'The directory at that path is a different one, so none of its entries are yours under any name.',
  fails: ['You start the agent in a project that contains files it should not see.'],
  notAt: ['L1'],
  probe: async (bench) => {
    const home = bench.machine.realHome
    const canary = await mkdtemp(path.join(home, '.paddock-verify-')).catch(() => null)
    try {
      if (canary !== null) await writeFile(path.join(canary, 'file'), bench.secret(), { mode: 0o644 })
      const entries = readdirSync(home).map((each) => path.join(home, each))
      const toolchains = bench.machine.system.toolchains.flatMap((each) => [each.source, each.target])
      const asked = entries.filter((each) => !toolchains.includes(each)).slice(0, 2000)
      const { result } = await bench.inside(
        ({ fs, attempt }, given) => ({
          seen: given.asked.map((file) => {
            try {
              const { dev, ino } = fs.lstatSync(file)
              return `${dev}:${ino}`
            } catch (error) {
              return (error as NodeJS.ErrnoException).code ?? 'error'
            }
          }),
          canary: attempt(() => fs.readFileSync(`${given.canary}/file`)),
          written: attempt(() => fs.writeFileSync(`${given.home}/written`, 'x')),
        }),
        { asked, canary, home },
      )
      if (result.seen.length !== asked.length) return broken('not all entries of the home were checked')
      const yours = asked.filter((file, index) => sameAs(file, result.seen[index]))
      if (yours.length > 0) return broken(`entries of your home are in the cell: ${yours.slice(0, 10).join(', ')}`)
      if (canary !== null && result.canary !== 'ENOENT') return broken(`a canary in your home: ${result.canary}`)
      if (readdirSync(home).includes('written')) return broken('a file that the cell made in its home is in your home')
      const absent = result.seen.filter((each) => each === 'ENOENT').length
      return held(
        `${asked.length} entries of ${home}: ${absent} absent, ${asked.length - absent} different; ${canary === null ? 'no canary could be placed there' : 'a canary placed there: ENOENT'}`,
      )
    } finally {
      if (canary !== null) await rm(canary, { recursive: true, force: true })
    }
  },
}

function sameAs(file: string, seen: string | undefined): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  return stat !== undefined && `${stat.dev}:${stat.ino}` === seen
}

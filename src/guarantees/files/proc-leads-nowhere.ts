import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'

export const procLeadsNowhere: Guarantee = {
  id: 'proc-leads-nowhere',
  chapter: 'files',
  claim: "No root, working directory or open file of any process in /proc, including the cell's init, leads a cell to a file of the host.",
  mechanism:
    "The old root is unmounted before the agent starts (pivot_root(2)). /proc belongs to the cell's own PID namespace, whose processes all have the cell's mounts.",
  kind: 'structural',
  why: 'Such a link gives only the access that its process has, and no visible process has a root, directory or descriptor outside the cell.',
  fails: ["Another cell of the same project passes a directory's descriptor through a shared socket."],
  probe: async (bench) => {
    const directory = await bench.directory()
    const canary = path.join(directory, 'canary')
    await writeFile(canary, bench.secret(), { mode: 0o644 })
    const project = await bench.project()
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => {
        const up = '../'.repeat(30)
        const reached: string[] = []
        let places = 0
        const look = (place: string): void => {
          places++
          for (const below of [given.canary, `/${up}${given.canary.slice(1)}`])
            if (attempt(() => fs.readFileSync(place + below)) === 'ok') reached.push(place + below)
        }
        const processes = ['self', 'thread-self', ...fs.readdirSync('/proc').filter((each) => /^\d+$/.test(each))]
        for (const process of processes) {
          for (const each of ['root', 'cwd', 'exe/..', 'map_files/..']) look(`/proc/${process}/${each}`)
          try {
            for (const each of fs.readdirSync(`/proc/${process}/fd`)) look(`/proc/${process}/fd/${each}`)
          } catch {
            // The directory cannot be listed, so numbers are tried anyway.
            for (let each = 0; each < 64; each++) look(`/proc/${process}/fd/${each}`)
          }
        }
        look('/proc')
        return {
          reached,
          places,
          inits: processes.includes('1'),
          control: attempt(() => fs.readFileSync(`/proc/self/root${given.project}/README`)),
        }
      },
      { canary, project },
      { project },
    )
    if (result.control !== 'ok' || !result.inits)
      return broken(`the probe could not use /proc: ${result.control}, init ${result.inits ? 'there' : 'not there'}`)
    if (result.reached.length > 0) return broken(`a file of the host was read by ${result.reached.slice(0, 5).join(', ')}`)
    return held(`${result.places} roots, directories and descriptors of processes in /proc tried, with and without ..: no way to a canary`)
  },
}

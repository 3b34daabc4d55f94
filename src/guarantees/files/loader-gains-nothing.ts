import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { countOutcomes } from '../probe/outcomes.ts'

export const loaderGainsNothing: Guarantee = {
  id: 'loader-gains-nothing',
  chapter: 'files',
  claim:
    'The dynamic loader, called directly on a program or library (ld.so(8)), reads no file that the cell cannot see and grants no privileges.',
  mechanism: 'Every program has the same mounts and the same bounding set, however it is started, and no_new_privs is set.',
  kind: 'structural',
  why: 'No promise relies on a file not being executable, so another way to run such files does not weaken any.',
  fails: ['You mount files to be read but not run: a cell can run any file that it can read.'],
  probe: async (bench) => {
    const elsewhere = await bench.directory()
    const program = path.join(elsewhere, 'program')
    await copyFile('/bin/true', program)
    const project = await bench.project()
    const { result } = await bench.inside(
      ({ fs, sh }, given) => {
        const loader = ['/lib64', '/lib', '/usr/lib64', '/usr/lib']
          .flatMap((each) => (fs.existsSync(each) ? fs.readdirSync(each).map((name) => `${each}/${name}`) : []))
          .find((each) => /\/ld-(linux|musl)[^/]*\.so\.\d+$/.test(each))
        if (loader === undefined) return null
        fs.copyFileSync('/bin/cat', 'not-executable')
        fs.chmodSync('not-executable', 0o644)
        const run = (...words: string[]): string => {
          const ran = sh(`${[loader, ...words].join(' ')} 2>&1`)
          return ran.code === 0
            ? 'ok'
            : /No such file|cannot open/.test(ran.stdout)
              ? 'absent'
              : `code ${ran.code}: ${ran.stdout.slice(0, 80)}`
        }
        const rights = (text: string): string => (text.match(/^(Cap\w+|NoNewPrivs|Uid|Gid):.*$/gm) ?? []).join(' ')
        return {
          tried: {
            program: run(given.program),
            'file by cat': run('./not-executable', given.program),
            preload: run('--preload', given.program, './not-executable', given.program),
            'through /proc': run(`/proc/self/root${given.program}`),
          },
          control: sh(`${loader} ./not-executable README`).stdout,
          same: rights(sh(`${loader} ./not-executable /proc/self/status`).stdout) === rights(fs.readFileSync('/proc/self/status', 'utf8')),
        }
      },
      { program },
      { project },
    )
    if (result === null) return unenforceable('the cell has no dynamic loader at the usual paths')
    if (result.control !== 'a project\n') return broken('the loader did not run a program of the project, so the probe is inconclusive')
    const reached = Object.entries(result.tried).filter(([, outcome]) => outcome !== 'absent')
    if (reached.length > 0) return broken(`through the loader: ${reached.map(([what, outcome]) => `${what} (${outcome})`).join(', ')}`)
    if (!result.same) return broken('a program that the loader started has different privileges than the cell')
    return held(
      `a program of the host as program, data and preloaded library: ${countOutcomes(result.tried)}; the same uid and capabilities as without the loader`,
    )
  },
}

import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'

export const hostFilesAbsent: Guarantee = {
  id: 'host-files-absent',
  chapter: 'files',
  claim:
    'Apart from the system and toolchains, a file of the host that is neither in the project nor mounted by name does not exist in a cell.',
  mechanism: 'A mount namespace whose root is an empty tmpfs, with an allowlist of binds (bwrap, pivot_root(2)).',
  kind: 'structural',
  why: 'There is no rule to bypass. The path does not exist, so opening it gives ENOENT and not EACCES.',
  fails: [
    'You mount a directory that contains more than you think.',
    'The system (/usr, /opt, /nix/store, parts of /etc and /var) and toolchains are shown as a whole. A cell can read what your account can read there.',
    "A bug in the kernel's mount namespaces.",
  ],
  notAt: ['L1'],
  probe: async (bench) => {
    const directory = await bench.directory()
    const canary = path.join(directory, 'canary')
    await writeFile(canary, bench.secret(), { mode: 0o666 })
    const project = await bench.project()
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => ({
        canary: attempt(() => fs.readFileSync(given.canary)),
        directory: attempt(() => fs.readdirSync(given.directory)),
        relative: attempt(() => fs.readFileSync(`../${given.directory.split('/').pop()}/canary`)),
        project: attempt(() => fs.readFileSync('README')),
        shadow: attempt(() => fs.readFileSync('/etc/shadow')),
        // A directory that is only shown while the cell is built would be a mount like any other.
        elsewhere: fs
          .readFileSync('/proc/self/mountinfo', 'utf8')
          .split('\n')
          .map((line) => line.split(' ')[4] ?? '')
          .filter((at) => fs.existsSync(`${at}/shadow`)),
      }),
      { canary, directory },
      { project },
    )
    if (result.project !== 'ok') return broken(`the probe could not read its own project: ${result.project}`)
    const { project: _, elsewhere, ...tried } = result
    if (elsewhere.length > 0) return broken(`${elsewhere[0]}/shadow exists`)
    const seen = Object.entries(tried).filter(([, outcome]) => outcome !== 'ENOENT')
    if (seen.length > 0) return broken(`not absent: ${seen.map(([what, outcome]) => `${what} (${outcome})`).join(', ')}`)
    return held(
      'a readable canary next to the project, by its path, through .. and by listing, and /etc/shadow: ENOENT; no mount has a file shadow',
    )
  },
}

import { readFileSync } from 'node:fs'
import { type Guarantee, held } from '../guarantee.ts'
import { attack } from '../probe/attack.ts'
import { countOutcomes } from '../probe/outcomes.ts'

const program = new URL('./later-not-remounted.pl', import.meta.url)

export const laterNotRemounted: Guarantee = {
  id: 'later-not-remounted',
  chapter: 'later',
  claim: 'A cell cannot mount anything over files that run later, or remove their read-only mounts.',
  mechanism:
    'The cell has no capability in the user namespace that owns the mounts and cannot create another namespace. A seccomp filter refuses mount calls.',
  kind: 'structural',
  why: 'Mounting needs CAP_SYS_ADMIN in the namespace of the mounts (mount_namespaces(7)), and even there these mounts are locked.',
  fails: ['With --nested-sandbox, mounts can be made in a nested namespace. Writes there still go through the same read-only mounts.'],
  probe: async (bench) => {
    const { finding, tried } = await attack(
      bench,
      ['EPERM', 'no', 'EROFS'],
      ({ fs, perl, sh, attempt }, { places, files, program }) => {
        const tried: Record<string, string> = {}
        for (const place of places) {
          if (fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true) fs.mkdirSync('mine', { recursive: true })
          else fs.writeFileSync('mine', 'bad')
          const answers = (perl(program, process.arch, 'mine', place)?.stdout ?? '').trim().split(' ')
          for (const [index, what] of ['bind over', 'remount', 'unmount'].entries()) {
            const answer = answers[index] ?? ''
            if (answer !== '') tried[`${what} ${place}`] = answer === '1' ? 'EPERM' : answer
          }
          tried[`mount --bind ${place}`] = sh(`mount --bind mine ${place}`)?.code === 0 ? 'ok' : 'no'
          fs.rmSync('mine', { recursive: true, force: true })
        }
        for (const file of files) tried[`then write ${file}`] = attempt(() => fs.writeFileSync(file, 'bad'))
        return tried
      },
      { program: readFileSync(program, 'utf8') },
    )
    return finding ?? held(`bind mounts over, remounts and unmounts of files that run later, and then writes: ${countOutcomes(tried)}`)
  },
}

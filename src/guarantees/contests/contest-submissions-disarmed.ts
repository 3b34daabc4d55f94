import { broken, type Guarantee, held } from '../guarantee.ts'
import type { InsideScript } from '../probe/inside.ts'
import { probeContest } from '../probe/probe-contest.ts'
import { bareRepositories, layTrap, trapNames } from '../probe/trap.ts'

/** Reads the submission like a careless judge, and returns the findings. */
const look: InsideScript<{ readonly names: readonly string[] }, null> = ({ fs, sh }, { names }) => {
  const root = '/contest/submissions'
  const all = fs.readdirSync(root, { recursive: true, withFileTypes: true }) as import('node:fs').Dirent[]
  const at = (each: import('node:fs').Dirent): string => `${each.parentPath}/${each.name}`.slice(root.length + 1)
  const directories = all.filter((each) => each.isDirectory()).map(at)
  const obeyed = all.filter((each) => names.includes(each.name)).map(at)
  const git = sh('command -v git')?.code === 0
  const repositories = directories.filter((each) => {
    if (git)
      return (
        sh(`cd '${root}/${each}' && git status >/dev/null 2>&1; git -C '${root}/${each}' rev-parse --git-dir >/dev/null 2>&1`)?.code === 0
      )
    return ['HEAD', 'objects', 'refs'].every((part) => fs.existsSync(`${root}/${each}/${part}`))
  })
  const ran = fs.existsSync('/tmp/obeyed')
  const comment = JSON.stringify({ files: all.filter((each) => each.isFile()).length, git, ran, found: [...obeyed, ...repositories] })
  const scores = Object.fromEntries(fs.readdirSync(root).map((label) => [label, { quality: 5 }]))
  fs.writeFileSync('/contest/outbox/scores.json', JSON.stringify({ scores, comment }))
  return null
}

interface Met {
  readonly files: number
  readonly git: boolean
  readonly ran: boolean
  readonly found: readonly string[]
}

export const submissionsDisarmed: Guarantee = {
  id: 'contest-submissions-disarmed',
  chapter: 'contests',
  claim: 'A submission that a judge sees is not a git repository, and contains no file that a program loads, runs or obeys automatically.',
  mechanism:
    "Paddock unpacks a submission for judges with these names changed: .git, files that run later, agents' instruction files, and the HEAD of every directory that git would recognize as a repository.",
  kind: 'policy',
  why: "A program in a judge's cell could write the judge's answer. Programs find such files by name, and no program looks for the new names.",
  fails: [
    'Names that are not on the list.',
    'A judge may run a program of a submission although its prompt forbids that. Paddock still compares its last message.',
  ],
  probe: async (bench) => {
    const { summary } = await probeContest(
      bench,
      { script: layTrap, given: { bare: bareRepositories } },
      { script: look, given: { names: trapNames } },
    )
    const [judge] = summary.judges
    const { comment = null } = judge ?? {}
    if (comment === null) return broken(`the judge gave no answer (${judge?.why}), so the probe is inconclusive`)
    const met = JSON.parse(comment) as Met
    if (met.ran) return broken("a program of the submission ran in the judge's cell")
    if (met.found.length > 0) return broken(`a judge found ${met.found.join(', ')}`)
    // Each place has eight or more files. The repositories with other names have three each.
    if (met.files < 30) return broken(`the judge saw ${met.files} files, so the probe is inconclusive`)
    const how = met.git
      ? 'git status in each directory found no repository and ran nothing'
      : 'none has HEAD, objects and refs (git is not installed here)'
    return held(
      `${met.files} files of a submission with repositories and protected files in 3 places each: ${how}, and no name is unchanged`,
    )
  },
}

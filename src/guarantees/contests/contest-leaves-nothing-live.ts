import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import type { InsideScript } from '../probe/inside.ts'
import { probeContest } from '../probe/probe-contest.ts'
import { bareRepositories, layTrap, trapNames } from '../probe/trap.ts'

const score: InsideScript<null, null> = ({ fs }) => {
  const scores = Object.fromEntries(fs.readdirSync('/contest/submissions').map((label) => [label, { quality: 5 }]))
  for (const each of ['.git/objects', '.git/refs', '.vscode']) fs.mkdirSync(each, { recursive: true })
  for (const each of ['.git/HEAD', '.envrc', '.vscode/tasks.json']) fs.writeFileSync(each, '')
  fs.writeFileSync('scores.json', JSON.stringify({ scores }))
  return null
}

/** Reviews report instruction files but do not quarantine them, because agents obey them only as text. */
const obeyedOnHost = trapNames.filter((each) => !['.gitattributes', 'CLAUDE.md'].includes(each))

export const nothingLiveLeft: Guarantee = {
  id: 'contest-leaves-nothing-live',
  chapter: 'contests',
  claim: "A contest's directory contains no git repository and no protected path that a participant or a judge made.",
  mechanism:
    "A seal is one archive file. An attempt's directory is quarantined as soon as it is sealed or has failed. Judges see and write to directories under Paddock's state, which are removed.",
  kind: 'policy',
  why: 'Tools cannot look inside an archive. In directories that they can open, files that tools would obey have been renamed.',
  fails: [
    'While an attempt runs, and after a kill until the next start, its files have their original names.',
    'Names that are not on the list. Instruction files and build files stay as they are.',
    "After a kill, copies for checks stay in Paddock's own state until the next start of the contest or paddock clean.",
    'Submissions that an earlier Paddock version sealed as directories.',
  ],
  probe: async (bench) => {
    const { root, summary } = await probeContest(
      bench,
      { script: layTrap, given: { bare: bareRepositories } },
      { script: score, given: null },
    )
    if (summary.judges[0]?.state !== 'scored') return broken(`the judge gave no answer (${summary.judges[0]?.why})`)
    const contest = path.join(root, 'contest')
    const all = readdirSync(contest, { recursive: true, withFileTypes: true })
    const at = (parent: string, name: string): string => path.relative(contest, path.join(parent, name))
    const named = all.filter((each) => obeyedOnHost.includes(each.name)).map((each) => at(each.parentPath, each.name))
    const repositories = all
      .filter((each) => each.name === 'HEAD' && ['objects', 'refs'].every((part) => existsSync(path.join(each.parentPath, part))))
      .map((each) => at(each.parentPath, each.name))
    const left = [...named, ...repositories]
    if (left.length > 0)
      return broken(`left in the contest: ${left.slice(0, 12).join(', ')}${left.length > 12 ? ` and ${left.length - 12} more` : ''}`)
    const attempt = path.join(contest, 'rounds/1/participant/attempts/1/out')
    if (!existsSync(path.join(attempt, 'answer.txt')) || !existsSync(path.join(attempt, '.git.quarantined-2')))
      return broken("the attempt's directory does not contain what the participant made, so the probe is inconclusive")
    return held(
      `${all.length} entries of a contest whose participant and judge made repositories and protected files: none has its original name`,
    )
  },
}

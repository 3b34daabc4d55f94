import { cpSync } from 'node:fs'
import path from 'node:path'
import type * as Answer from '../../../src/contest/judging/judge-answer.ts'
import type * as Disarm from '../../../src/contest/seal/disarm.ts'
import type * as Quarantine from '../../../src/contest/seal/quarantined-names.ts'
import type * as WriteArchive from '../../../src/contest/seal/write-archive.ts'
import type * as GitDirectoryNames from '../../../src/git/directory-names.ts'
import { replace, type Sabotage } from './sabotage.ts'

export const contestsSabotages: readonly Sabotage[] = [
  {
    id: 'contest-submissions-disarmed',
    without: 'the renaming of protected files',
    evidence: /ran in the judge|a judge found .*\.git/,
    break: () => replace<typeof Disarm>('contest/seal/disarm.ts', () => ({ disarm: () => ({ names: new Map(), renamed: [] }) })),
  },
  {
    id: 'contest-submissions-disarmed',
    without: 'the search for renamed repositories',
    evidence: /ran in the judge|a judge found .*docs/,
    break: () => replace<typeof GitDirectoryNames>('git/directory-names.ts', () => ({ looksLikeGitDirectory: () => false })),
  },
  {
    id: 'contest-answers-compared',
    without: 'the comparison of answers',
    evidence: /contradicts/,
    break: () =>
      replace<typeof Answer>('contest/judging/judge-answer.ts', ({ readAnswer }) => ({
        readAnswer: (outbox, rules) => readAnswer(outbox, rules, null),
      })),
  },
  {
    id: 'contest-leaves-nothing-live',
    without: 'the quarantine',
    evidence: /left in the contest: .*attempts/,
    break: () => replace<typeof Quarantine>('contest/seal/quarantined-names.ts', () => ({ quarantine: () => Promise.resolve(null) })),
  },
  {
    id: 'contest-leaves-nothing-live',
    without: 'the archiving of sealed work',
    evidence: /left in the contest: .*sealed/,
    break: () =>
      replace<typeof WriteArchive>('contest/seal/write-archive.ts', ({ writeArchive }) => ({
        writeArchive: async (directory, files, archive) => {
          await writeArchive(directory, files, archive)
          cpSync(directory, path.join(path.dirname(archive), 'out'), { recursive: true })
        },
      })),
  },
]

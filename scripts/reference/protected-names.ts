import { agentsOnMachine } from '../../src/adapters/agent-facts.ts'
import { runLaterTable } from '../../src/cell/plan/protected/protected-paths.ts'
import type { RunLaterRow } from '../../src/cell/plan/protected/row-kinds.ts'

const sections: readonly { readonly decision: RunLaterRow['decision']; readonly title: string; readonly text: string }[] = [
  {
    decision: 'inert',
    title: 'Read-only, with an inert entry',
    text: 'Read-only in a cell. At the root, an inert entry takes the name of a missing directory whose tool is installed (with `--strict-names`: of every missing one) for the duration of the cell. Otherwise a new one is quarantined at the end.',
  },
  {
    decision: 'protected',
    title: 'Read-only, new ones quarantined',
    text: 'Read-only if it exists when a cell starts. A new one is quarantined at the end, even at the root.',
  },
  {
    decision: 'unasked',
    title: 'Reported at the end: obeyed automatically',
    text: 'Writable. An editor, a shell, git, an agent or an interpreter obeys it when it opens the directory or does something else there.',
  },
  {
    decision: 'asked',
    title: 'Reported at the end: run on demand',
    text: 'Writable. A tool runs or obeys it when you start a build, a test, a deployment or similar.',
  },
  { decision: 'script', title: 'Reported at the end, after all others', text: 'Writable, and grouped by directory in the last lines.' },
]

/** Returns every name that other programs run or obey later, grouped by how a cell treats it. */
export function protectedNamesPage(): string {
  const parts = [
    '# Names that run later',
    '<!-- Made from src/cell/plan/protected/protected-paths.ts and the adapters by `npm run reference`. Change these, not this. -->',
    'These names apply in every directory of a project. `/` in front: only at the root. `/` at the end: a directory and everything in it. `*`: any part of one name. `{a,b}`: both. Git directories are protected too: see [cells](../guide/cells.md#files-that-run-later).',
  ]
  for (const { decision, title, text } of sections) {
    const rows = Map.groupBy(
      runLaterTable(agentsOnMachine.runLater).filter((each) => each.decision === decision),
      (each) => each.why,
    )
    const lines = [...rows].map(
      ([why, same]) => `- ${why}: ${same.flatMap(({ names }) => names.split(' ').map((each) => `\`${each}\``)).join(', ')}`,
    )
    parts.push(`## ${title}`, text, lines.join('\n'))
  }
  return `${parts.join('\n\n')}\n`
}

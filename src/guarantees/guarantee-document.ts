import { chapters, guarantees } from './chapters.ts'
import type { Guarantee } from './guarantee.ts'
import { type MatrixColumn, recordedMatrix } from './recorded-matrix.ts'
import type { RecordedRun } from './recorded-runs.ts'

/**
 * Returns docs/GUARANTEES.md, generated from the objects that `paddock verify` tests, and from recorded runs of it. The id of each guarantee
 * is its anchor.
 */
export function guaranteesDocument(runs: readonly RecordedRun[]): string {
  const used = Object.values(chapters)
  const structural = guarantees.filter((each) => each.kind === 'structural').length
  return [
    '# Guarantees',
    '',
    '<!-- Generated from src/guarantees by scripts/reference.ts. -->',
    '',
    `These are all of Paddock's promises about a cell: ${guarantees.length} claims, each with a probe that tries to break it inside real cells on your own`,
    'machine. `paddock verify` runs the probes; [the threat model](THREAT-MODEL.md) lists what they do not cover.',
    '',
    `**Structural** (${structural}) means that the target of the attack does not exist. **Policy** (${guarantees.length - structural}) means that it exists and a rule denies`,
    'access, so the promise is only as good as the rule. If a claim applies only under some egress policies, or not at an isolation level, they are named.',
    '',
    ...used.map(({ title, guarantees: of }) => `- ${title}: ${links(of)}`),
    ...(runs.length === 0 ? [] : ['- [Recorded runs](#recorded-runs)']),
    '',
    ...used.flatMap(({ title, guarantees: of }) => [`## ${title}`, '', ...of.flatMap(section)]),
    ...(runs.length === 0 ? [] : matrix(runs)),
  ].join('\n')
}

function links(some: readonly Guarantee[]): string {
  return some.map(({ id }) => `[${id}](#${id})`).join(', ')
}

/** Returns Markdown that is displayed as this text. */
function plain(text: string): string {
  return text.replace(/[\\*_<>[\]]/g, '\\$&')
}

function section({ id, claim, mechanism, kind, why, fails, under, notAt }: Guarantee): string[] {
  return [
    `### ${id}`,
    '',
    `**${plain(claim)}**`,
    '',
    `- Mechanism (${kind}): ${plain(mechanism)}`,
    `- Why this is enough: ${plain(why)}`,
    `- How it can fail: ${plain(fails.join(' '))}`,
    ...(under === undefined ? [] : [`- Under egress ${under.map((each) => `\`${each}\``).join(', ')}.`]),
    ...(notAt === undefined ? [] : [`- Not promised at ${notAt.join(', ')}.`]),
    `- Probe: \`paddock verify ${notAt?.includes('L2') === true ? '--posture L1 ' : ''}--only ${id}\``,
    '',
  ]
}

/** Returns the chapter about recorded runs: what was run, and the result for each guarantee. */
function matrix(runs: readonly RecordedRun[]): string[] {
  const { columns, rows } = recordedMatrix(guarantees, runs)
  return [
    '## Recorded runs',
    '',
    'These are results of `paddock verify` on machines of the developers, as recorded in [verified](verified). `paddock verify --recorded` shows the same',
    'for your machine. _Not enforceable_: the machine lacks something. _Not run_: no recorded run tried it, because it applies only under another egress',
    'policy, or is newer than the run.',
    '',
    ...row(['level', 'backend', 'as', 'egress', 'date', 'Paddock', 'system']),
    ...row(Array.from({ length: 7 }, () => '---')),
    ...columns.flatMap((each) => each.runs.map(runCells)).flatMap(row),
    '',
    ...row(['guarantee', ...columns.map(columnName)]),
    ...row(['---', ...columns.map(() => '---')]),
    ...rows.flatMap(({ id, cells }) => row([`[${id}](#${id})`, ...cells])),
    '',
  ]
}

const row = (cells: readonly string[]): string[] => [`| ${cells.join(' | ')} |`]

const columnName = ({ posture, backend, user }: MatrixColumn): string => `${posture}, ${backend}, ${user ?? ''}`

const runCells = ({ posture, backend, backendVersion, user, egress, at, version, system }: RecordedRun): string[] => [
  posture,
  plain(backendVersion === '' ? backend : backendVersion),
  user,
  `\`${egress}\``,
  at.slice(0, 10),
  version,
  plain(system),
]

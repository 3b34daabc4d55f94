import { chapters, guarantees } from './chapters.ts'
import type { Guarantee } from './guarantee.ts'

/** Returns docs/GUARANTEES.md, generated from the objects that `paddock verify` tests. The id of each guarantee is its anchor. */
export function guaranteesDocument(): string {
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
    '',
    ...used.flatMap(({ title, guarantees: of }) => [`## ${title}`, '', ...of.flatMap(section)]),
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

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
    `What Paddock promises about a cell, and nothing beyond it: ${guarantees.length} claims, each with a probe that tries to break it inside real`,
    'cells on your own machine. `paddock verify` runs them; [the threat model](THREAT-MODEL.md) says what is left open.',
    '',
    `**Structural** (${structural}) means that what is attacked is not there. **Policy** (${guarantees.length - structural}) means that it is there and a rule says no:`,
    'such a promise is as good as the rule. Where a claim holds under some egress policies only, they are named.',
    '',
    ...used.map(({ title, guarantees: of }) => `- ${title}: ${links(of)}`),
    '',
    ...used.flatMap(({ title, guarantees: of }) => [`## ${title}`, '', ...of.flatMap(section)]),
  ].join('\n')
}

function links(some: readonly Guarantee[]): string {
  return some.map(({ id }) => `[${id}](#${id})`).join(', ')
}

/** Returns text as Markdown displays it. */
function plain(text: string): string {
  return text.replace(/[\\*_<>[\]]/g, '\\$&')
}

function section({ id, claim, mechanism, kind, why, fails, under }: Guarantee): string[] {
  return [
    `### ${id}`,
    '',
    `**${plain(claim)}**`,
    '',
    `- Mechanism (${kind}): ${plain(mechanism)}`,
    `- Why that is enough: ${plain(why)}`,
    `- How it can fail: ${plain(fails.join(' '))}`,
    ...(under === undefined ? [] : [`- Under egress ${under.map((each) => `\`${each}\``).join(', ')}.`]),
    `- Probe: \`paddock verify --only ${id}\``,
    '',
  ]
}

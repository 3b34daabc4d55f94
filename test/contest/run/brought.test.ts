import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Layout } from '../../../src/contest/config/contest-layout.ts'
import { contestPlan } from '../../../src/contest/stages/plan-contest.ts'
import { runContest } from '../../../src/contest/stages/run-contest.ts'
import { readRegularSync } from '../../../src/files/read-regular.ts'
import { type Bench, openBench, writeContest } from '../../support/contest-bench.ts'

/** Writes what it has been given into its work, as an agent that reports everything would. */
const program = `#!/bin/sh
cd "$HOME"
{
  echo "prompt: $(tail -n 1)"
  for file in $(find .claude .codex .gemini .config '(' -name '*.md' -o -name '*.sh' ')' ! -iname paddock.md 2>/dev/null | sort); do
    [ -s "$file" ] && echo "$file: $(tail -n 1 "$file")"
  done
  for file in $(find . -name run.sh); do sh -c "./$file"; touch "$file" 2>/dev/null && echo writable; done
} > /contest/out/answer.txt
`

async function stage(): Promise<Bench> {
  const bench = await openBench()
  await bench.write('skills/tidy/SKILL.md', '---\nname: tidy\n---\nBe tidy.')
  await bench.write('skills/tidy/scripts/run.sh', '#!/bin/sh\necho it runs', 0o755)
  await bench.write('rules.md', 'The rules.')
  await bench.write('more.md', 'One thing more.')
  await bench.write('../agent', program, 0o755)
  return bench
}

function answerOf(bench: Bench, name: string): string {
  return readRegularSync(path.join(new Layout(bench.contest).attempt(1, name, 1).out, 'answer.txt'), 10_000) ?? 'no answer'
}

const keys = {
  claude: ['ANTHROPIC_API_KEY', '.claude/CLAUDE.md', '.claude/skills'],
  codex: ['CODEX_API_KEY', '.codex/AGENTS.md', '.codex/skills'],
  gemini: ['GEMINI_API_KEY', '.gemini/GEMINI.md', '.gemini/skills'],
  opencode: ['OPENAI_API_KEY', '.config/opencode/AGENTS.md', '.config/opencode/skills'],
} as const

test.each(Object.entries(keys))('%s finds the skills and instructions of its variant in its home', async (agent, [key, file, skills]) => {
  await using bench = await stage()
  const extra = { skills: ['skills/tidy'], instructions: 'rules.md', prompt: 'more.md' }
  const own = { env: [`${key}=x`], program: path.join(bench.root, 'agent'), variants: { base: {}, extra } }
  const more = { participants: [{ name: agent, agent, ...own }], checks: [{ name: 'there', command: 'test -s answer.txt' }] }
  await writeContest(bench, {}, {}, { ...more, judges: [], rubric: undefined })
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(answerOf(bench, `${agent}-base`)).toBe('prompt: Write answer.txt.\n')
  const lines = [`${file}: The rules.`, `${skills}/tidy/SKILL.md: Be tidy.`, `${skills}/tidy/scripts/run.sh: echo it runs`]
  expect(answerOf(bench, `${agent}-extra`)).toBe(['prompt: One thing more.', ...lines.toSorted(), 'it runs', ''].join('\n'))
  expect(summary.ranking.map(({ name, files }) => ({ name, files }))).toEqual([
    { name: `${agent}-base`, files: 1 },
    { name: `${agent}-extra`, files: 1 },
  ])
  expect(readFileSync(path.join(bench.contest, 'skills/tidy/scripts/run.sh'), 'utf8')).toContain('it runs')
})

test('a server that a participant could not reach is refused before anything runs', async () => {
  await using bench = await stage()
  const own = { env: ['ANTHROPIC_API_KEY=x'], program: path.join(bench.root, 'agent'), mcp: { docs: { url: 'https://docs.example/mcp' } } }
  const write = (more: object): Promise<void> =>
    writeContest(
      bench,
      {},
      {},
      {
        participants: [{ name: 'one', agent: 'claude', ...own, ...more }],
        judges: [],
        rubric: undefined,
        checks: [{ name: 'there', command: 'true' }],
      },
    )
  await write({})
  await expect(contestPlan(bench.contest, bench.deps, {})).rejects.toMatchObject({
    message: 'participants[0].mcp.docs: the participant cannot reach docs.example:443.',
    hint: 'Add it to egress.allow: docs.example',
  })
  await write({ egress: { allow: ['docs.example'] } })
  expect((await contestPlan(bench.contest, bench.deps, {})).participants).toHaveLength(1)
})

test('a program that is missing is reported with its key before anything runs', async () => {
  await using bench = await stage()
  const participants = [{ name: 'one', agent: 'claude', env: ['ANTHROPIC_API_KEY=x'], variants: { old: { program: '/none/claude' } } }]
  await writeContest(bench, {}, {}, { participants, judges: [], rubric: undefined, checks: [{ name: 'there', command: 'true' }] })
  await expect(runContest(bench.contest, bench.deps)).rejects.toMatchObject({
    code: 'AGENT_NOT_INSTALLED',
    message: 'participants[0].variants.old: /none/claude is not a program that can be run.',
    hint: 'Name the file of the program, for example the result of: which claude',
  })
})

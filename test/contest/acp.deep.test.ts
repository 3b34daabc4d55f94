import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../src/adapters/output/agent-events.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { type Bench, openBench } from '../support/contest-bench.ts'
import { sealedFile } from '../support/sealed-files.ts'

const agent = path.join(import.meta.dirname, '../fixtures/acp-agent.mjs')

async function writeContest(bench: Bench, modes: Readonly<Record<string, object>>): Promise<void> {
  const participants = Object.entries(modes).map(([mode, more]) => ({
    ...{ name: mode, agent: 'acp', family: 'none', command: ['node', '/agent/acp-agent.mjs', mode], files: 'agent', ...more },
  }))
  const checks = [{ name: 'there', command: 'test -f /submission/answer.txt' }]
  await bench.write('contest.yaml', JSON.stringify({ schemaVersion: 1, name: 'trial', participants, checks }))
  await bench.write('BRIEF.md', 'Write answer.txt.\n')
  await bench.write('agent/acp-agent.mjs', await readFile(agent, 'utf8'))
}

test('an agent that speaks ACP takes part: its text, tools, tokens and cost are reported, it is allowed once, and gets no files of a client', async () => {
  await using bench = await openBench()
  await writeContest(bench, { good: {}, files: {} })
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.ranking.map(({ name, outcome }) => [name, outcome.kind, outcome.message]).toSorted()).toEqual([
    ['files', 'delivered', null],
    ['good', 'delivered', null],
  ])
  expect(sealedFile(bench.contest, 'good', 'answer.txt')).toBe('now: true')
  const [notOffered, unknown] = [sealedFile(bench.contest, 'files', 'answer.txt')?.split(' ').slice(0, 3), -32601]
  expect(notOffered).toEqual(Array(3).fill(String(unknown)))
  expect(summary.ranking.find(({ name }) => name === 'good')).toMatchObject({
    tokens: { input: 25, output: 5, cachedInput: 15 },
    costUsd: 0.25,
  })
  const transcript = await readFile(path.join(bench.contest, 'rounds/1/good/attempts/1/agent.jsonl'), 'utf8')
  const events = transcript
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AgentEvent)
  expect(events).toMatchObject([
    { type: 'reasoning', text: 'The brief asks for one file.' },
    { type: 'text', text: 'I will write.' },
    { type: 'tool-call', name: 'edit', input: { title: 'write answer.txt' } },
    { type: 'tool-result', ok: true, text: 'written' },
    { type: 'cost', usd: 0.25 },
    { type: 'text', text: 'It is written.' },
    { type: 'usage' },
    { type: 'result', ok: true, text: 'It is written.' },
  ])
})

test('an agent that speaks ACP gets MCP servers with its session, and ends with the reason if it takes none over HTTP', async () => {
  await using bench = await openBench()
  const url = 'https://docs.example/mcp'
  const docs = { url, headers: { 'X-Kind': 'of $KIND' } }
  const mcp = { notes: { command: ['perl', '/agent/notes.pl'], env: { NOTE: 'x' } }, docs }
  const reach = { egress: { allow: ['docs.example'] }, env: ['KIND=test'] }
  await writeContest(bench, { servers: { mcp, ...reach }, good: { mcp: { docs }, ...reach } })
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(JSON.parse(sealedFile(bench.contest, 'servers', 'answer.txt') ?? '')).toEqual([
    { name: 'notes', command: 'perl', args: ['/agent/notes.pl'], env: [{ name: 'NOTE', value: 'x' }] },
    { type: 'http', name: 'docs', url, headers: [{ name: 'X-Kind', value: 'of test' }] },
  ])
  expect(summary.notRanked.map(({ name, outcome }) => [name, outcome?.message])).toEqual([
    ['good', expect.stringContaining('The agent takes no MCP servers over HTTP, such as docs.')],
  ])
})

test('an agent that hangs, floods, dies, is out of quota or wants a login ends with that as its outcome', async () => {
  await using bench = await openBench()
  const soon = { limits: { timeout: '6s' } }
  const modes = { hang: { limits: { silence: '3s' } }, flood: soon, huge: {}, dies: {}, refuses: {}, limited: {}, login: {} }
  await writeContest(bench, modes)
  const { summary } = await runContest(bench.contest, bench.deps)
  const outcomes = Object.fromEntries([...summary.ranking, ...summary.notRanked].map(({ name, outcome }) => [name, outcome]))
  expect(outcomes).toMatchObject({
    hang: { kind: 'silent' },
    flood: { kind: 'out-of-time' },
    huge: { message: expect.stringMatching(/too large|exceed/i) },
    dies: { message: expect.stringContaining('exit code 3') },
    refuses: { kind: 'delivered', message: expect.stringContaining('max turn requests') },
    limited: { kind: 'rate-limited', message: expect.stringContaining('daily quota') },
    login: { kind: 'login-needed', message: expect.stringContaining('Authentication required') },
  })
})

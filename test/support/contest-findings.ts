import { parseContest } from '../../src/contest/config/brief.ts'
import type { Scores } from '../../src/contest/judging/scores.ts'
import type { Findings } from '../../src/contest/ranking/findings.ts'
import type { Seal } from '../../src/contest/seal/seal-schema.ts'
import { labelAt } from '../../src/contest/state/label.ts'

/** Returns findings in which every participant delivered and every judge scored all of them. `text` is all text that others can write. */
export function findings(
  scores: Readonly<Record<string, Readonly<Record<string, number>>>>,
  text = 'fine',
  scale = { min: 1, max: 5 },
  names: readonly string[] = ['one', 'two', 'three'],
): Findings {
  const config = parseContest(
    JSON.stringify({
      schemaVersion: 1,
      name: 'trial',
      description: text,
      participants: names.map((name) => ({ name, agent: 'command', command: ['x'], model: text })),
      judges: Object.keys(scores).map((name) => ({ name, agent: 'command', command: ['x'] })),
      rubric: { scale, dimensions: [{ id: 'quality', description: text }] },
    }),
  )
  const outcome = { kind: 'delivered' as const, exitCode: 0, message: text, hint: text, resetsAt: null }
  const run = { attempt: 1, outcome, durationMs: 10, usage: null, costUsd: 0.5 }
  const tasks = Object.keys(scores).map((judge) => ({ judge, id: '1', state: 'scored' as const, ...run }))
  const seal: Seal = {
    schemaVersion: 1,
    state: 'sealed',
    message: null,
    sealedAt: '',
    attempt: 1,
    files: [],
    bytes: 0,
    tree: '0'.repeat(64),
    dropped: [{ path: text, why: text }],
    droppedCount: 1,
  }
  // Each judge uses different labels.
  const labels = new Map(
    Object.keys(scores).map((judge, shift) => [
      judge,
      new Map(names.map((_, at) => [labelAt(at), names[(at + shift) % names.length] ?? ''])),
    ]),
  )
  const given = (judge: string, byName: Readonly<Record<string, number>>): Scores => ({
    scores: Object.fromEntries([...(labels.get(judge) ?? [])].map(([label, name]) => [label, { quality: byName[name] ?? 1 }])),
    reviews: { A: text },
    comment: text,
    citations: [],
  })
  return {
    config,
    status: {
      schemaVersion: 2,
      contest: 'trial',
      round: 1,
      fingerprint: '',
      judging: 1,
      participants: Object.fromEntries(names.map((name) => [name, { state: 'checked' as const, ...run }])),
      tasks,
      updatedAt: '',
    },
    seals: new Map(names.map((name) => [name, seal])),
    checks: new Map([['one', [{ name: 'c', weight: 1, result: 'failed' as const, why: text, exitCode: 1, durationMs: 1, output: text }]]]),
    answers: Object.entries(scores).map(([judge, byName]) => ({
      judge,
      labels: Object.fromEntries(labels.get(judge) ?? []),
      order: [...(labels.get(judge)?.keys() ?? [])],
      scores: given(judge, byName),
      review: text,
      citations: [],
    })),
    pairs: [],
    controls: [],
    yours: null,
    orders: [],
    citations: new Map(),
    identity: { words: null, record: null },
    ordersToJudges: null,
    withOrders: null,
    denied: { participant: new Map(), judge: new Map() },
    judging: {
      number: 1,
      tasks,
      unfinished: null,
    },
    given: { participant: {}, judge: {} },
  }
}

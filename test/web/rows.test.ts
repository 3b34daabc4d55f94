import { describe, expect, test } from 'vitest'
import { isShown, type Line, Rows } from '../../web/pages/job/event-rows.ts'

const at = '2026-01-01T00:00:00.000Z'
const rowsOf = (...events: readonly Record<string, unknown>[]): Rows => {
  const rows = new Rows()
  for (const [n, each] of events.entries()) rows.take({ n: n + 1, at, ...each } as unknown as Line)
  return rows
}

describe('the rows of a transcript', () => {
  test('a call and its result are one row, also if others came between', () => {
    const { all, calls, failed } = rowsOf(
      { type: 'tool-call', id: 'a', name: 'bash', input: { command: 'ls' } },
      { type: 'tool-call', id: 'b', name: 'Read', input: '{"file_path":"/etc/hosts","limit":3}' },
      { type: 'tool-result', id: 'b', ok: false, text: 'no' },
      { type: 'tool-result', id: 'a', ok: true, text: 'x' },
    )
    expect(all.map((row) => (row.kind === 'call' ? [row.name, row.argument, row.result?.ok, row.result?.text] : []))).toEqual([
      ['bash', 'ls', true, 'x'],
      ['Read', '/etc/hosts', false, 'no'],
    ])
    expect([calls, failed]).toEqual([2, 1])
  })

  test('a result without its call, and a second one for the same call, are rows of their own', () => {
    const { all } = rowsOf(
      { type: 'tool-call', id: 'a', name: 'bash', input: {} },
      { type: 'tool-result', id: 'a', ok: true, text: '1' },
      { type: 'tool-result', id: 'a', ok: true, text: '2' },
    )
    expect(all).toHaveLength(2)
  })

  test('usage is listed by turn, and usage reported twice is listed once', () => {
    const { all } = rowsOf(
      { type: 'text', text: 'done' },
      { type: 'usage', usage: { input: 100, output: 10 } },
      { type: 'usage', usage: { input: 100, output: 10 } },
      { type: 'tool-call', id: 'a', name: 'bash', input: {} },
      { type: 'tool-result', id: 'a', ok: true, text: '' },
      { type: 'text', text: 'over' },
      { type: 'usage', usage: { input: 250, output: 30 } },
      { type: 'cost', usd: 0.5 },
      { type: 'result', ok: true, text: 'over' },
    )
    expect(all).toMatchObject([
      { kind: 'text', text: 'done' },
      { kind: 'turn', from: 1, turn: 1, input: 100, output: 10, usd: null },
      { kind: 'call' },
      { kind: 'text', text: 'over' },
      { kind: 'turn', from: 2, turn: 2, input: 150, output: 20, usd: 0.5 },
    ])
  })

  test('turns are counted as the result of the job counts them: a total at the end adds to the last one', () => {
    const answer = (text: string, id: string) => [
      { type: 'text', text },
      { type: 'tool-call', id, name: 'bash', input: {} },
    ]
    const { all } = rowsOf(
      ...answer('one', 'a'),
      { type: 'usage', usage: { input: 100, output: 10 } },
      { type: 'tool-result', id: 'a', ok: true, text: '' },
      { type: 'text', text: 'two' },
      { type: 'usage', usage: { input: 250, output: 20 } },
      { type: 'usage', usage: { input: 250, output: 114 } },
      { type: 'cost', usd: 0.5 },
    )
    expect(all.filter(({ kind }) => kind === 'turn')).toMatchObject([
      { from: 1, turn: 1, input: 100, output: 10 },
      { from: 2, turn: 2, input: 150, output: 104, usd: 0.5 },
    ])
  })

  test('use that is reported only at the end is that of all turns', () => {
    const call = (id: string) => [
      { type: 'tool-call', id, name: 'bash', input: {} },
      { type: 'tool-result', id, ok: true, text: '' },
    ]
    const { all } = rowsOf(...call('a'), ...call('b'), { type: 'text', text: 'three' }, { type: 'usage', usage: { input: 9, output: 1 } })
    expect(all.at(-1)).toMatchObject({ kind: 'turn', from: 1, turn: 3, input: 9, output: 1 })
  })

  test('lines of any shape are taken without an error', () => {
    const strange = [
      { type: 'tool-call' },
      { type: 'tool-result', id: 7, ok: 'yes' },
      { type: 'usage' },
      { type: 'text', text: { a: 1 } },
      { type: '' },
    ]
    expect(() => rowsOf(...strange)).not.toThrow()
  })

  test('errors are trouble and calls that failed; words are looked for in inputs and outputs', () => {
    const { all } = rowsOf(
      { type: 'error', message: 'the endpoint broke' },
      { type: 'tool-call', id: 'a', name: 'bash', input: { command: 'make' } },
      { type: 'tool-result', id: 'a', ok: false, text: 'Error 2' },
      { type: 'text', text: 'fine' },
    )
    expect(all.map((each) => isShown(each, 'errors', ''))).toEqual([true, true, false])
    expect(all.map((each) => isShown(each, 'all', 'error 2'))).toEqual([false, true, false])
  })
})

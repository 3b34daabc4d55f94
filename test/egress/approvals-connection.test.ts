import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApprovalAnswer, ApprovalQuestion } from '../../src/egress/approvals/approval.ts'
import { parseAsk } from '../../src/egress/policy/allow.ts'
import { openLab } from '../support/egress-lab.ts'
import { echo, ending, refusal } from '../support/egress-peers.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

function human() {
  const asked: ApprovalQuestion[] = []
  const signals: AbortSignal[] = []
  let answer: (given: ApprovalAnswer) => void = () => undefined
  const approve = (question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> => {
    asked.push(question)
    signals.push(signal)
    return new Promise((resolve) => {
      answer = resolve
      signal.addEventListener('abort', () => resolve({ allowed: false, scope: 'once', by: 'end' }))
    })
  }
  const wasAsked = async (count = 1): Promise<void> => {
    while (asked.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { asked, signals, approve, wasAsked, say: (allowed: boolean) => answer({ allowed, scope: 'once', by: 'command' }) }
}

describe('a connection that is asked about', () => {
  test('is held, and nothing is resolved or dialled, until the answer is yes', async () => {
    const user = human()
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000], ask: true }], {
      approve: user.approve,
      cellName: 'run x',
    })
    await lab.upstream(9000, echo)
    const client = await network.connect('198.18.0.1', 9000)
    client.end('one\n')
    await user.wasAsked()
    expect(user.asked).toEqual([{ cell: 'test-cell', cellName: 'run x', host: 'a.example', port: 9000, request: null, source: 'user' }])
    expect([lab.resolved, lab.dialled]).toEqual([[], []])
    user.say(true)
    expect(await text(client)).toBe('one\n')
    expect(lab.resolved).toEqual(['a.example'])
  })

  test('is reset when the answer is no', async () => {
    const user = human()
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000], ask: true }], { approve: user.approve })
    const client = await network.connect('198.18.0.1', 9000)
    client.write('one\n')
    await user.wasAsked()
    user.say(false)
    expect(await ending(client)).toBe('ECONNRESET')
    expect((await lab.event('egress.deny', 'not-approved')).data['detail']).toBe('the answer was no')
    expect([lab.resolved, lab.dialled]).toEqual([[], []])
  })

  test('is reset if there is no one to ask', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000], ask: true }])
    const client = await network.connect('198.18.0.1', 9000)
    client.write('one\n')
    expect(await ending(client)).toBe('ECONNRESET')
    await lab.event('egress.deny', 'not-approved')
    expect([lab.resolved, lab.dialled]).toEqual([[], []])
  })

  test('takes its question with it when the client goes, and when the gateway closes', async () => {
    const user = human()
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000], ask: true }], { approve: user.approve })
    const one = await network.connect('198.18.0.1', 9000)
    one.write('one\n')
    await user.wasAsked()
    one.resetAndDestroy()
    await lab.event('egress.deny', 'not-approved')
    expect(user.signals[0]?.aborted).toBe(true)
    const two = await network.connect('198.18.0.1', 9000)
    two.on('error', () => {}).write('two\n')
    await user.wasAsked(2)
    await lab.gateway.close()
    expect(user.signals[1]?.aborted).toBe(true)
  })

  test('"*" asks about every name that no other entry knows', async () => {
    const user = human()
    await using lab = await openLab(
      network,
      [{ ...parseAsk('*:9000') }, { host: 'known.example', ports: [9000] }, { host: '*.wide.example', ports: [9000] }],
      {
        approve: user.approve,
      },
    )
    await lab.upstream(9000, echo)
    const talk = async (address: string): Promise<string> => {
      const client = await network.connect(address, 9000)
      client.end('one\n')
      return text(client)
    }
    expect(await talk('198.18.0.1')).toBe('one\n')
    expect(user.asked).toEqual([])
    expect(await refusal(network, '198.18.77.77', 9000)).toBe('ECONNRESET')
    expect(user.asked).toEqual([])
  })
})

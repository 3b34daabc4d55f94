import { mkdtempSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenQuestion } from '../../src/egress/approvals/approval-schema.ts'
import { openApprovals } from '../../src/egress/approvals/approver.ts'
import { until } from '../support/egress-peers.ts'
import { https1, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())
const say = (request: string, ...fields: string[]) =>
  [`${request} HTTP/1.1`, 'Host: a.example', 'Content-Length: 0', ...fields, '', ''].join('\r\n')

async function asking(scope: 'once' | 'cell', wait: number, act: (lab: Awaited<ReturnType<typeof openInspectLab>>) => Promise<void>) {
  const state = mkdtempSync('/tmp/paddock-questions-')
  const asked: string[] = []
  const ask = async ({ request }: OpenQuestion) => {
    asked.push(`${request?.method} ${request?.path}`)
    await pause(wait)
    return { allowed: true, scope }
  }
  const approvals = openApprovals({ stateDirectory: state, configDirectory: state, audit: () => undefined, terminal: { ask } })
  const arrived: string[] = []
  await using lab = await openInspectLab(network, ['ask DELETE /**'], { approve: approvals.approve })
  await lab.upstream(
    443,
    https1((request, response) => {
      arrived.push(`${request.method} ${request.url}`)
      request.resume().on('end', () => response.end('ok'))
    }),
  )
  await act(lab)
  approvals.close()
  rmSync(state, { recursive: true })
  return { asked, arrived }
}
const each = (...requests: string[]) =>
  asking('cell', 0, async (lab) => {
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    for (const request of requests) {
      client.write(request)
      await until(client, 'ok')
    }
    client.destroy()
  })

test('a question shows the method that an override asks for', async () => {
  const { asked } = await each(say('POST /repos/o/r', 'X-HTTP-Method-Override: DELETE'))
  expect(asked.join()).toContain('DELETE')
})
test('an answer for a long path is for that path', async () => {
  const long = `/${'a/'.repeat(110)}`
  const { asked } = await each(say(`DELETE ${long}one`), say(`DELETE ${long}all`))
  expect(asked).toHaveLength(2)
})
test('an answer for one query is not for another', async () => {
  const { asked } = await each(say('DELETE /thing?what=one'), say('DELETE /thing?what=all'))
  expect(asked).toHaveLength(2)
})
test('an answer for once lets one request through', async () => {
  const { asked, arrived } = await asking('once', 800, async (lab) => {
    await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
        client.write(say(`DELETE /thing?number=${index}`))
        await until(client, '\r\n\r\n')
        client.destroy()
      }),
    )
  })
  expect(arrived.length).toBe(asked.length)
})

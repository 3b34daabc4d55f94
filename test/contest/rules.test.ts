import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { openBench, writeContest } from '../support/contest-bench.ts'
import { internet } from '../support/inspect-lab.ts'
import { realCells } from '../support/real-cell.ts'
import { sealedFile } from '../support/sealed-files.ts'

test('rules of contest.yaml judge the requests of a participant, and its questions are answered by the user at the terminal', async () => {
  const asked: string[] = []
  const arrived: string[] = []
  const server = createServer(internet.issue('a.example'), (request, response) => {
    arrived.push(`${request.method} ${request.url}`)
    response.end('here\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await using bench = await openBench()
  const get = (method: string, at: string) => `curl -s -o /dev/null -w '%{http_code} ' -X ${method} https://a.example${at} || true`
  await writeContest(
    bench,
    {},
    {},
    {
      participants: [
        {
          name: 'one',
          agent: 'command',
          command: [
            'sh',
            '-c',
            `{ ${get('GET', '/read')}; ${get('DELETE', '/read')}; ${get('POST', '/may')}; ${get('POST', '/not')}; } > /contest/out/seen.txt`,
          ],
          egress: {
            policy: 'allowlist',
            inspect: [`a.example=127.0.0.1:${port}`],
            rules: ['ask POST a.example/**', 'deny DELETE a.example/**'],
          },
        },
      ],
      judges: [],
      rubric: undefined,
      checks: [{ name: 'any', command: 'true' }],
    },
  )
  const startCell = realCells(bench.deps.paths, {
    extraRoots: [internet.certificate],
    approve: async (question) => {
      asked.push(`${question.request?.method} ${question.host}${question.request?.path}`)
      return { allowed: question.request?.path === '/may', scope: 'once', by: 'command' }
    },
  })
  try {
    await runContest(bench.contest, { ...bench.deps, startCell })
  } finally {
    server.close()
    server.closeAllConnections()
  }
  const seen = sealedFile(bench.contest, 'one', 'seen.txt')
  expect(seen).toBe('200 403 200 403 ')
  expect(arrived).toEqual(['GET /read', 'POST /may'])
  expect(asked).toEqual(['POST a.example/may', 'POST a.example/not'])
})

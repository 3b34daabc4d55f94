import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StartCell } from '../src/cell/cell.ts'
import type { CellSpec } from '../src/cell/plan/spec.ts'
import { makeIssuer } from '../src/egress/inspect/tls/authority.ts'
import type { Figure } from './measure.ts'

const rounds = 3_000

/** Requests two hosts in turn on one warm connection each; prints the median times in microseconds. */
const client = `
  const https = require('node:https')
  const names = ['passed.bench.test', 'seen.bench.test']
  const agents = names.map(() => new https.Agent({ keepAlive: true, maxSockets: 1 }))
  const ask = (which) => new Promise((resolve, reject) => {
    const began = process.hrtime.bigint()
    https.get({ host: names[which], agent: agents[which], path: '/x', rejectUnauthorized: false }, (response) => {
      response.resume().on('end', () => resolve(Number(process.hrtime.bigint() - began) / 1000))
    }).on('error', reject)
  })
  const main = async () => {
    const times = [[], []]
    for (let round = 0; round < ${rounds} + 300; round++) for (const which of [0, 1]) {
      const took = await ask(which)
      if (round >= 300) times[which].push(took)
    }
    console.log(JSON.stringify(times.map((each) => each.sort((a, b) => a - b)[each.length >> 1])))
  }
  main()`

/** Measures what inspection adds to a request on a warm connection, compared to the same request through the gateway without it. */
export async function inspection(startWith: (roots: readonly string[]) => StartCell, spec: CellSpec): Promise<Figure[]> {
  const issuer = makeIssuer(['bench.test'])
  const server = spawn(process.execPath, [fileURLToPath(new URL('./inspect-server.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  })
  server.stdin?.end(JSON.stringify(issuer.issue('*.bench.test')))
  const port = Number(await new Promise<string>((resolve) => server.stdout?.once('data', (chunk) => resolve(String(chunk).trim()))))
  const entry = { ports: [443], internal: true, pin: { address: '127.0.0.1', port }, source: 'bench' }
  const inspect = { rules: [{ action: 'deny' as const, methods: ['DELETE'], path: '/**', source: 'bench' }], otherwise: 'allow' as const }
  try {
    const node = realpathSync(process.execPath)
    const cell = await startWith([issuer.certificate])(
      {
        ...spec,
        command: [node, '-e', client],
        mounts: [{ source: path.dirname(node), access: 'ro', reason: 'agent' }],
        egress: {
          mode: 'allowlist',
          entries: [
            { ...entry, host: 'passed.bench.test' },
            { ...entry, host: 'seen.bench.test', inspect },
          ],
        },
      },
      { stdin: 'none' },
    )
    cell.stderr.pipe(process.stderr)
    let said = ''
    for await (const chunk of cell.stdout) said += String(chunk)
    await cell.done
    const [passed = Number.NaN, seen = Number.NaN] = JSON.parse(said) as number[]
    const added = (seen - passed) / 1_000
    return [
      {
        name: 'an inspected request on a warm connection, p50',
        value: `${(seen / 1_000).toFixed(2)} ms, uninspected ${(passed / 1_000).toFixed(2)} ms: +${added.toFixed(2)} ms`,
        bar: 'adds less than 1 ms',
        met: added < 1,
      },
    ]
  } finally {
    server.disconnect()
  }
}

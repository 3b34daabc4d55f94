import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { StartCell } from '../src/cell/cell.ts'
import type { CellSpec } from '../src/cell/plan/spec.ts'
import { makeIssuer } from '../src/egress/inspect/tls/authority.ts'
import { SearchedStream } from '../src/secrets/searched.ts'
import { Secret } from '../src/secrets/secret.ts'
import { SpelledWords } from '../src/secrets/spelled-words.ts'
import { type Figure, median } from './measure.ts'

const rounds = 1_000
const passes = 5

/** Requests a stream on one warm connection; prints the median time to its first byte, in microseconds. */
const client = (port: number): string => `
  const https = require('node:https')
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { 'x-api-key': process.env.STAND_IN ?? 'none' }
  const ask = () => new Promise((resolve, reject) => {
    const began = process.hrtime.bigint()
    https.get({ host: 'model.bench.test', port: ${port}, lookup: process.env.DIRECT && ((_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])), agent, path: '/stream', headers, rejectUnauthorized: false }, (response) => {
      let first = 0
      response.once('data', () => { first = Number(process.hrtime.bigint() - began) / 1000 })
      response.resume().on('end', () => resolve(first))
    }).on('error', reject)
  })
  const main = async () => {
    const times = []
    for (let round = 0; round < ${rounds} + 200; round++) {
      const took = await ask()
      if (round >= 200) times.push(took)
    }
    console.log(times.sort((a, b) => a - b)[times.length >> 1])
  }
  main()`

/** Measures the cost of inserting a credential into a request, and of masking it in the answer. */
export async function credentialCost(startWith: (roots: readonly string[]) => StartCell, spec: CellSpec): Promise<Figure[]> {
  return [await firstByte(startWith, spec), masking()]
}

async function firstByte(startWith: (roots: readonly string[]) => StartCell, spec: CellSpec): Promise<Figure> {
  const issuer = makeIssuer(['bench.test'])
  const server = spawn(process.execPath, [fileURLToPath(new URL('./inspect-server.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  })
  server.stdin?.end(JSON.stringify(issuer.issue('*.bench.test')))
  const port = Number(await new Promise<string>((resolve) => server.stdout?.once('data', (chunk) => resolve(String(chunk).trim()))))
  const node = realpathSync(process.execPath)
  using key = Secret.fromText('bench', `sk-${randomBytes(40).toString('hex')}`)
  const placeholder = `sk-${randomBytes(40).toString('hex')}`
  const start = startWith([issuer.certificate])
  const inCell = async (): Promise<number> => {
    const cell = await start(
      {
        ...spec,
        command: [node, '-e', client(443)],
        mounts: [{ source: path.dirname(node), access: 'ro', reason: 'agent' }],
        env: { STAND_IN: placeholder },
        egress: {
          mode: 'allowlist',
          entries: [{ host: 'model.bench.test', ports: [443], internal: true, pin: { address: '127.0.0.1', port }, source: 'bench' }],
        },
        credentials: [
          {
            name: 'bench',
            hosts: [{ host: 'model.bench.test', port: 443, tls: true, paths: ['/**'] }],
            places: [{ kind: 'header', name: 'x-api-key' }],
            placeholders: () => [placeholder],
            secret: async () => key,
          },
        ],
      },
      { stdin: 'none' },
    )
    cell.stderr.pipe(process.stderr)
    let said = ''
    for await (const chunk of cell.stdout) said += String(chunk)
    await cell.done
    return Number(said)
  }
  const direct = async (): Promise<number> =>
    Number((await promisify(execFile)(node, ['-e', client(port)], { env: { DIRECT: '1' } })).stdout)
  try {
    const [through, straight]: [number[], number[]] = [[], []]
    for (let pass = 0; pass < passes; pass++) {
      through.push(await inCell())
      straight.push(await direct())
    }
    const [a, b] = [median(through) / 1_000, median(straight) / 1_000]
    return {
      name: 'the first byte of a streamed answer, with a credential put in, p50',
      value: `${a.toFixed(2)} ms, direct ${b.toFixed(2)} ms: +${(a - b).toFixed(2)} ms`,
      bar: 'adds less than 2 ms',
      met: a - b < 2,
    }
  } finally {
    server.disconnect()
  }
}

/** Measures masking of a credential in all its spellings. The body has pieces of 64 KiB without it: one without escapes, one of events. */
function masking(): Figure {
  const words = new SpelledWords([Buffer.from(`sk-ant-api03-${randomBytes(48).toString('base64url')}`)])
  const line = JSON.stringify({ type: 'content_block_delta', delta: { text: 'a token of sk-ant and more ' } })
  const escaped = JSON.stringify({ type: 'content_block_delta', delta: { text: 'a token of "sk-ant"\nand more ' } })
  const [plain, events] = [line, `data: ${escaped}\n\n`].map((each) => {
    const text = Buffer.from(each.repeat(900)).subarray(0, 65_536)
    return median(
      Array.from({ length: passes }, () => {
        const stream = new SearchedStream(() => words)
        const began = performance.now()
        let bytes = 0
        while (bytes < 256 * 1024 ** 2) bytes += stream.mask(text).length
        return bytes / 1e6 / ((performance.now() - began) / 1_000)
      }),
    )
  }) as [number, number]
  return {
    name: 'masking, one thread',
    value: `${plain.toFixed(0)} MB/s, ${events.toFixed(0)} MB/s where escapes and line breaks are undone`,
    bar: 'at least 300 MB/s',
    met: plain >= 300,
  }
}

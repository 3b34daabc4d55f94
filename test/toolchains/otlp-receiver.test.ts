import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { makeStage, paddock, type Stage } from '../support/cli.ts'
import { asJson } from '../support/collector.ts'
import { makeTree, noTrees } from '../support/trees.ts'

const program = path.join(import.meta.dirname, 'node_modules/@fiberplane/studio/dist')
const started: ChildProcess[] = []
afterEach(async () => {
  for (const each of started.splice(0)) {
    each.kill('SIGKILL')
    if (each.exitCode === null && each.signalCode === null) await once(each, 'exit')
  }
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

function sendTo(stage: Stage, url: string): void {
  const directory = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config')
  mkdirSync(directory, { recursive: true })
  const settings = ['schemaVersion: 1', 'telemetry:', '  otlp:', `    endpoint: ${url}`, '    timeout: 1m']
  writeFileSync(path.join(directory, 'config.yaml'), settings.join('\n'))
}

/** A span as the receiver keeps it. */
interface KeptSpan {
  readonly trace_id: string
  readonly span_id: string
  readonly parent_span_id: string | null
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly resource_attributes: Readonly<Record<string, unknown>>
}

test("another project's receiver of OTLP takes the trace of a run and reads its names, ids and attributes", async () => {
  using stage = makeStage('root')
  const [port, file, directory] = [await freePort(), path.join(stage.root, 'spans.db'), path.join(stage.root, 'receiver')]
  mkdirSync(directory)
  writeFileSync(path.join(directory, 'package.json'), '{"name":"receiver"}')
  const env = { ...process.env, HOME: directory, FPX_DATABASE_URL: `file:${file}`, FPX_PORT: String(port) }
  const run = (script: string) => {
    const child = spawn(process.execPath, [path.join(program, script)], { cwd: directory, env, stdio: 'ignore' })
    started.push(child)
    return child
  }
  expect(await once(run('migrate.js'), 'exit')).toEqual([0, null])
  run('src/index.node.js')
  const url = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(`${url}/v1/traces`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isUp).toBe(true)
  sendTo(stage, url)
  const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', parent: 'b7ad6b7169203331' }
  const ran = await paddock(stage, ['run', '--quiet', '--', 'sh', '-c', 'exit 3'], {
    env: { TRACEPARENT: `00-${trace.traceId}-${trace.parent}-01`, ...asJson },
  })
  expect(ran.code).toBe(3)
  using database = new DatabaseSync(file, { readOnly: true })
  const spans = database.prepare('SELECT inner FROM otel_spans').all() as { inner: string }[]
  expect(spans.map(({ inner }) => JSON.parse(inner) as KeptSpan)).toMatchObject([
    {
      trace_id: trace.traceId,
      parent_span_id: trace.parent,
      name: 'run sh',
      attributes: { 'process.exit.code': 3, 'paddock.cell.posture': 'L2' },
      resource_attributes: { 'service.name': 'paddock' },
    },
  ])
})

test("another project's database of metrics takes the tokens of each run", async ({ skip }) => {
  const missing = noTrees()
  skip(missing !== false, String(missing))
  const tree = makeTree('trixie', ['victoria-metrics'])
  using stage = makeStage('root')
  const port = await freePort()
  // The files are below /tmp, which ends with the tree's processes.
  const options = ['-storageDataPath=/tmp/data', `-httpListenAddr=127.0.0.1:${port}`, '-search.latencyOffset=0s']
  const script = path.join(import.meta.dirname, '../../scripts/tree.sh')
  started.push(spawn(script, ['enter', '--user', '--online', tree, 'timeout', '200', 'victoria-metrics', ...options], { stdio: 'ignore' }))
  const url = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isUp).toBe(true)
  sendTo(stage, `${url}/opentelemetry`)
  stage.put('agent.mjs', readFileSync(path.join(import.meta.dirname, '../fixtures/acp-agent.mjs'), 'utf8'))
  for (const _ of [1, 2]) {
    const ran = await paddock(stage, ['run', '--quiet', '--prompt', 'x', 'acp', 'node', 'agent.mjs', 'good'])
    expect(ran.code).toBe(0)
  }
  const tokens = async (): Promise<readonly (readonly [string | undefined, string])[]> => {
    const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent('{__name__="gen_ai.client.token.usage_sum"}')}`)
    const { data } = (await answer.json()) as { data: { result: { metric: Record<string, string>; value: [number, string] }[] } }
    return data.result.map(({ metric, value }) => [metric['gen_ai.token.type'], value[1]] as const).toSorted()
  }
  // Both runs are there, because each is an instance of its own.
  await expect.poll(tokens).toEqual([
    ['input', '25'],
    ['input', '25'],
    ['output', '5'],
    ['output', '5'],
  ])
})

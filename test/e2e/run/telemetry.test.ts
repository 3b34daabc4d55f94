import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { everyone, makeStage, paddock, type Stage } from '../../support/cli.ts'
import { accepts, asJson, type Certificate, listening, valuesOf } from '../../support/collector.ts'

const agent = readFileSync(path.join(import.meta.dirname, '../../fixtures/acp-agent.mjs'), 'utf8')
const traceId = '0af7651916cd43dd8448eb211c80319c'
const parent = `00-${traceId}-b7ad6b7169203331-01`

/** Makes a certificate for m.example, which only those trust who read this file. */
function certificateIn(directory: string): Certificate & { readonly file: string } {
  const [file, key] = [path.join(directory, 'cert.pem'), path.join(directory, 'key.pem')]
  const name = ['-subj', '/CN=m.example', '-addext', 'subjectAltName=DNS:m.example']
  execFileSync('openssl', ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', '-keyout', key, '-out', file, ...name], { stdio: 'ignore' })
  return { cert: readFileSync(file), key: readFileSync(key), file }
}

/** A busy machine needs longer for a request than a collector may take. */
const patient = '    timeout: 2m'

function configure(stage: Stage, lines: readonly string[]): void {
  const directory = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config')
  mkdirSync(directory, { recursive: true })
  writeFileSync(path.join(directory, 'config.yaml'), ['schemaVersion: 1', 'telemetry:', '  otlp:', ...lines].join('\n'))
}

test.each(everyone)('a run and its tools are a trace below that of the caller, without content, as %s', async (who) => {
  using collector = await listening(accepts)
  using stage = makeStage(who)
  configure(stage, [`    endpoint: ${collector.url}/base`, '    headers: env:COLLECTOR', patient])
  stage.put('agent.mjs', `import { writeFileSync as write } from 'node:fs'\nwrite('seen', process.env.TRACEPARENT)\n${agent}`)
  stage.own()
  const env = { TRACEPARENT: parent, COLLECTOR: 'api-key=hidden,x=1', ...asJson }
  const ran = await paddock(stage, ['run', '--quiet', '--prompt', 'private words', 'acp', 'node', 'agent.mjs', 'good'], { env })
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('telemetry')])
  expect(collector.received.map(({ url }) => url).toSorted()).toEqual(['/base/v1/metrics', '/base/v1/traces'])
  for (const { headers } of collector.received)
    expect(headers).toMatchObject({ 'api-key': 'hidden', x: '1', 'content-type': 'application/json' })
  const [root, tool, ...more] = collector.spans()
  if (root === undefined || tool === undefined) throw new Error('there are two spans')
  expect(more).toEqual([])
  expect(root).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', name: 'invoke_agent acp', status: { code: 0 } })
  expect(valuesOf(root)).toMatchObject({ 'gen_ai.agent.name': 'acp', 'gen_ai.operation.name': 'invoke_agent', 'process.exit.code': 0 })
  expect(tool).toMatchObject({ traceId, parentSpanId: root.spanId, status: { code: 0 } })
  expect(valuesOf(tool)).toMatchObject({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.id': 't1' })
  expect(stage.read('seen')).toBe(`00-${traceId}-${root.spanId}-01`)
  // Receivers of cumulative metrics add up the cells, because each is an instance of its own.
  const metrics = JSON.parse(collector.received.find(({ url }) => url.endsWith('metrics'))?.body ?? '').resourceMetrics[0]
  expect(metrics.resource.attributes).toContainEqual({ key: 'service.instance.id', value: { stringValue: root.spanId } })
  expect(metrics.scopeMetrics[0].metrics[0].histogram.aggregationTemporality).toBe(2)
  const all = collector.received.map(({ body }) => body).join('')
  expect(all).toContain('"gen_ai.client.token.usage"')
  for (const secret of ['private words', 'written', 'It is']) expect(all).not.toContain(secret)
})

test('requests are protocol buffers unless the environment says JSON', async () => {
  using collector = await listening(accepts)
  using stage = makeStage('user')
  configure(stage, [`    endpoint: ${collector.url}`, patient])
  stage.own()
  expect(await paddock(stage, ['run', '--quiet', '--', 'true'])).toMatchObject({ code: 0, stderr: '' })
  const [{ headers, body } = { headers: {}, body: '' }, ...more] = collector.received
  expect(more).toEqual([])
  expect(headers['content-type']).toBe('application/x-protobuf')
  expect(body).toContain('run true')
  expect(() => JSON.parse(body)).toThrow()
})

test.each(everyone)('calls of a model are in the trace as the gateway saw them, as %s', async (who) => {
  using collector = await listening(accepts)
  using stage = makeStage(who)
  const { file, ...certificate } = certificateIn(stage.root)
  using model = await listening(({ url }, response) => {
    response.writeHead(url?.includes('again') ? 200 : 429).end('{}')
  }, certificate)
  configure(stage, [patient])
  const bin = path.join(stage.root, 'bin')
  mkdirSync(bin)
  const ask = (more: string): string =>
    `curl -s -X POST -H "x-api-key: $ANTHROPIC_API_KEY" "$ANTHROPIC_BASE_URL/v1/messages${more}" -d private`
  writeFileSync(path.join(bin, 'claude'), `#!/bin/sh\ncat > /dev/null\n${ask('')}\n${ask('?again')}\nexit 3\n`)
  chmodSync(path.join(bin, 'claude'), 0o755)
  stage.own()
  const env = {
    PATH: `${bin}:${stage.env['PATH']}`,
    ANTHROPIC_API_KEY: `sk-ant-api03-${'canary'.repeat(12)}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ...asJson,
    NODE_EXTRA_CA_CERTS: file,
  }
  const port = Number(new URL(model.url).port)
  const endpoint = [
    '--base-url',
    `https://m.example:${port}`,
    '--env',
    'ANTHROPIC_API_KEY',
    '--allow',
    `m.example:${port}=127.0.0.1:${port}`,
  ]
  const ran = await paddock(stage, ['run', '--prompt', 'x', '--model', 'large', ...endpoint, 'claude'], { env })
  expect(ran.code, ran.stderr).toBe(3)
  const spans = collector.spans()
  expect(spans.map(({ name, status }) => [name, status.code])).toEqual([
    ['invoke_agent claude', 2],
    ['chat large', 2],
    ['chat large', 0],
  ])
  const [, refused, answered] = spans.map(valuesOf)
  expect(refused).toMatchObject({ 'server.port': port, 'http.response.status_code': 429, 'error.type': 'refused' })
  expect(answered).toMatchObject({ 'gen_ai.provider.name': 'anthropic', 'http.response.status_code': 200 })
  expect(collector.received.map(({ body }) => body).join('')).not.toMatch(/canary|private/)
})

test.each(everyone)('a collector that is away or silent changes nothing, and is one notice, as %s', async (who) => {
  using silent = await listening(() => undefined)
  const away = await listening(accepts)
  away[Symbol.dispose]()
  using refusing = await listening((_, response) => void response.writeHead(503).end())
  using stage = makeStage(who)
  const run = (endpoint: string) =>
    paddock(stage, ['run', '--quiet', '--', 'sh', '-c', 'echo out; exit 7'], { env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } })
  for (const [url, why] of [
    [away.url, /ECONNREFUSED/],
    [silent.url, /the collector did not answer within 2 s/],
    [refusing.url, /the collector answered with the status 503/],
  ] as const) {
    configure(stage, [url === silent.url ? '    timeout: 2s' : patient])
    stage.own()
    const ran = await run(url)
    expect([ran.code, ran.stdout]).toEqual([7, 'out\n'])
    expect(ran.stderr).toMatch(new RegExp(`^paddock: telemetry was not sent to ${url}: .*\n$`))
    expect(ran.stderr).toMatch(why)
  }
})

test.each(everyone)('the first line and doctor say where telemetry goes, and doctor how to turn it off, as %s', async (who) => {
  using collector = await listening(accepts)
  using stage = makeStage(who)
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const first = async (more: Readonly<Record<string, string>>): Promise<string> =>
    (await paddock(stage, ['run', '--egress', 'off', '--', 'true'], { env: more })).stderr.split('\n')[0] ?? ''
  expect(await first(env)).toMatch(new RegExp(`· traces to ${collector.url} \\(OTEL_EXPORTER_OTLP_ENDPOINT\\)$`))
  expect(await first({})).not.toContain('traces')
  const { checks } = JSON.parse((await paddock(stage, ['doctor', '--json'], { env })).stdout) as { checks: Record<string, string>[] }
  const check = checks.find(({ name }) => name === 'telemetry')
  expect(check).toMatchObject({
    ok: true,
    detail: `goes to ${collector.url} (OTEL_EXPORTER_OTLP_ENDPOINT), without the content of tools`,
  })
  // The cell of doctor itself is not anybody's work.
  const sent = collector.received.length
  expect(sent).toBe(1)
  const [, line = ''] = /config\.yaml: (.*)$/.exec(check?.['hint'] ?? '') ?? []
  const directory = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config')
  mkdirSync(directory, { recursive: true })
  writeFileSync(path.join(directory, 'config.yaml'), `schemaVersion: 1\n${line}\n`)
  stage.own()
  expect(await first(env)).not.toContain('traces')
  expect(collector.received.length).toBe(sent)
})

test.each(everyone)('config show names the collector and where it is from, and no header, as %s', async (who) => {
  using stage = makeStage(who)
  configure(stage, ['    content: true', '    timeout: 1s'])
  stage.own()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.example:4318', OTEL_EXPORTER_OTLP_HEADERS: 'key=canary' }
  const { stdout } = await paddock(stage, ['config', 'show', '--origin'], { env })
  const lines = stdout.split('\n').filter((each) => each.startsWith('telemetry'))
  expect(lines.map((each) => each.replace(/ {2,}/, ' | '))).toEqual([
    'telemetry.otlp.content = true | telemetry.otlp.content',
    'telemetry.otlp.endpoint = http://c.example:4318 | OTEL_EXPORTER_OTLP_ENDPOINT',
    'telemetry.otlp.headers = (set) | OTEL_EXPORTER_OTLP_HEADERS',
    'telemetry.otlp.timeout = 1s | telemetry.otlp.timeout',
  ])
  expect(stdout).not.toContain('canary')
  expect(await paddock(stage, ['config', 'show'], { env: {} })).toMatchObject({ code: 0 })
})

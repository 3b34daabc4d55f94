import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { everyone, makeStage, paddock, type Stage } from '../../support/cli.ts'
import { accepts, asJson, listening, type SentSpan, valuesOf } from '../../support/collector.ts'
import { fiveForAll, makeContestStage } from '../../support/contest-stage.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parent = 'b7ad6b7169203331'

/** Writes a suite of one brief, whose participant delivers the context of its trace. */
function writeSuite(stage: Stage): string {
  const suite = path.join(stage.root, 'suite')
  mkdirSync(path.join(suite, 'briefs/one'), { recursive: true })
  const role = (name: string, line: string) => [{ name, agent: 'command', command: ['sh', '-c', line] }]
  const contest = {
    participants: role('alpha', 'echo "answer $TRACEPARENT" > /contest/out/answer'),
    judges: role('judge', fiveForAll),
    rubric: { scale: { min: 0, max: 5 }, dimensions: [{ id: 'quality', description: 'How good it is.' }] },
    checks: [{ name: 'there', command: ['sh', '-c', 'test -z "$TRACEPARENT" && test -f answer'] }],
  }
  writeFileSync(path.join(suite, 'suite.yaml'), JSON.stringify({ schemaVersion: 1, name: 'trial', briefs: ['briefs/*'], contest }))
  writeFileSync(path.join(suite, 'briefs/one/BRIEF.md'), 'Private words.\n')
  const config = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config')
  mkdirSync(config, { recursive: true })
  writeFileSync(path.join(config, 'config.yaml'), 'schemaVersion: 1\ntelemetry:\n  otlp:\n    timeout: 2m\n')
  stage.own()
  return suite
}

/** Returns the names of spans with the names of those above them, sorted. */
function pathsOf(spans: readonly SentSpan[]): readonly string[] {
  const pathOf = ({ name, parentSpanId }: SentSpan): string => {
    const above = spans.find(({ spanId }) => spanId === parentSpanId)
    return `${above === undefined ? parentSpanId : pathOf(above)} > ${name}`
  }
  return spans.map(pathOf).toSorted()
}

test.each(everyone)('a suite and its contests are spans above their runs, judges and checks, without content, as %s', async (who) => {
  using collector = await listening(accepts)
  using stage = makeStage(who)
  const suite = writeSuite(stage)
  const env = { TRACEPARENT: `00-${traceId}-${parent}-01`, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...asJson }
  const ran = await paddock(stage, ['suite', 'run', suite], { env })
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('telemetry')])
  const spans = collector.spans()
  expect(new Set(spans.map((each) => each.traceId))).toEqual(new Set([traceId]))
  const contest = `${parent} > suite run > contest run`
  expect(pathsOf(spans)).toEqual([
    `${parent} > suite run`,
    contest,
    `${contest} > check there of alpha`,
    `${contest} > contest judge judge`,
    `${contest} > contest participant alpha`,
  ])
  expect(spans.map(({ status }) => status.code)).toEqual([0, 0, 0, 0, 0])
  const values = (name: string) => valuesOf(spans.find((each) => each.name === name) as SentSpan)
  expect(values('suite run')).toEqual({ 'paddock.suite.name': 'trial', 'paddock.suite.contests': 1 })
  expect(values('contest run')).toMatchObject({
    'paddock.contest.round': 1,
    'paddock.contest.participants': 1,
    'paddock.contest.judges': 1,
  })
  expect(collector.received.map(({ body }) => body).join('')).not.toMatch(/Private words|answer/)
})

test.each(everyone)('a step of a contest that fails is an error in its trace, with only its code, as %s', async (who) => {
  using collector = await listening(accepts)
  using made = makeContestStage(who, { alpha: 'true' }, { judge: fiveForAll })
  const { contest, stage } = made
  const ran = await paddock(stage, ['contest', 'judge', contest], { env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...asJson } })
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('There is no sealed submission')])
  expect(collector.spans()).toMatchObject([{ name: 'contest judge', status: { code: 2, message: 'NOT_FOUND' } }])
  expect(collector.spans()[0]).not.toHaveProperty('parentSpanId')
})

test.each(everyone)('a collector that refuses everything is one warning of a suite, as %s', async (who) => {
  using refusing = await listening((_, response) => void response.writeHead(503).end())
  using stage = makeStage(who)
  const ran = await paddock(stage, ['suite', 'run', writeSuite(stage)], {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: refusing.url, ...asJson },
  })
  expect(ran.code, ran.stderr).toBe(0)
  expect(ran.stderr.split('\n').filter((each) => each.includes('telemetry'))).toEqual([
    `paddock: telemetry was not sent to ${refusing.url}: the collector answered with the status 503`,
  ])
  expect(refusing.spans()).toHaveLength(5)
})

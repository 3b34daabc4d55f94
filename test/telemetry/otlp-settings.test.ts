import { expect, test } from 'vitest'
import { parseEndpoint, readOtlp, readPairs } from '../../src/telemetry/otlp-settings.ts'

const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.example:4318/', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }

test('nothing is sent unless a collector is named', () => {
  expect(readOtlp({}, {})).toBeNull()
  expect(readOtlp({ content: true, headers: 'env:X' }, {})).toBeNull()
})

test('the standard variables name a collector, and keys of the configuration replace them', () => {
  expect(readOtlp({}, variables)).toEqual({
    endpoint: { value: 'http://c.example:4318', place: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
    headers: { place: 'OTEL_EXPORTER_OTLP_HEADERS', text: 'a=b' },
    content: false,
    timeoutMs: 2000,
    encoding: 'protobuf',
    temporality: 'cumulative',
    resource: { 'service.name': 'paddock' },
  })
  expect(readOtlp({ endpoint: 'https://d.example/x', headers: 'env:X', content: true }, variables)).toMatchObject({
    endpoint: { value: 'https://d.example/x', place: 'telemetry.otlp.endpoint' },
    headers: { place: 'telemetry.otlp.headers', reference: 'env:X' },
    content: true,
  })
  expect(readOtlp({ endpoint: 'none' }, variables)).toBeNull()
})

test('the variables for the encoding and for sums of metrics are obeyed', () => {
  const told = (env: Record<string, string>) => readOtlp({}, { ...variables, ...env })
  expect(told({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })?.encoding).toBe('json')
  for (const each of ['', 'http/protobuf', 'other']) expect(told({ OTEL_EXPORTER_OTLP_PROTOCOL: each })?.encoding).toBe('protobuf')
  const preference = 'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE'
  for (const each of ['delta', 'Delta', 'lowmemory']) expect(told({ [preference]: each })?.temporality).toBe('delta')
  for (const each of ['', 'cumulative', 'other']) expect(told({ [preference]: each })?.temporality).toBe('cumulative')
})

test('variables that are meant for other programs are ignored', () => {
  for (const more of [
    { OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  ])
    expect(readOtlp({}, { ...variables, ...more })).toBeNull()
})

test('the attributes of the resource are those of the environment', () => {
  const env = { ...variables, OTEL_RESOURCE_ATTRIBUTES: 'service.name=x,team=a%20b,broken', OTEL_SERVICE_NAME: 'y' }
  expect(readOtlp({}, env)?.resource).toEqual({ 'service.name': 'y', team: 'a b' })
})

test('an endpoint is the base of a URL without a login', () => {
  expect(parseEndpoint('http://a.example:4318//', 'here')).toBe('http://a.example:4318')
  for (const each of ['', 'a.example', 'ftp://a.example', 'http://u:p@a.example', 'http://a.example/?q', 'http://a.example/#x'])
    expect(() => parseEndpoint(each, 'here')).toThrow(/^here: .* is not the URL of a collector\.$/)
})

test('headers are pairs, and a broken one is left out', () => {
  expect(readPairs('api-key=s=1, x = a%2Cb ,,y,bad name=1,z=%')).toEqual({ 'api-key': 's=1', x: 'a,b', z: '%' })
})

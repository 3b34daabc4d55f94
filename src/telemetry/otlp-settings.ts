import { PaddockError } from '../base/errors.ts'
import type { Temporality } from './otlp-json.ts'

/** The key `telemetry.otlp` of the user's configuration. */
export interface OtlpInput {
  /** The base URL of a collector, or `none` for no telemetry whatever the environment says. */
  readonly endpoint?: string | undefined
  /** A reference to a secret with headers, NAME=VALUE separated by commas. */
  readonly headers?: string | undefined
  readonly content?: boolean | undefined
  /** Milliseconds. */
  readonly timeout?: number | undefined
}

/** Where traces and metrics go. `place` is the origin of a value: a key of the configuration, or the name of a variable. */
export interface OtlpSettings {
  /** The base URL, without a slash at the end. */
  readonly endpoint: { readonly value: string; readonly place: string }
  /** Headers for each request. `reference`: to a secret; `text`: the headers themselves. Null: none. */
  readonly headers: ({ readonly place: string } & ({ readonly reference: string } | { readonly text: string })) | null
  /** True if arguments and results of tools are sent. */
  readonly content: boolean
  /** The time for sending, in milliseconds. Nothing waits longer for a collector. */
  readonly timeoutMs: number
  readonly encoding: 'protobuf' | 'json'
  readonly temporality: Temporality
  /** Attributes of the resource, from the environment. */
  readonly resource: Readonly<Record<string, string>>
}

/** The time for sending, in milliseconds. */
export const defaultTimeoutMs = 2_000

type Environment = Readonly<Record<string, string | undefined>>

/** The variables that turn telemetry on or off if the configuration has no endpoint. */
export const endpointVariable = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const headersVariable = 'OTEL_EXPORTER_OTLP_HEADERS'
const protocolVariable = 'OTEL_EXPORTER_OTLP_PROTOCOL'
const temporalityVariable = 'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE'

/**
 * Returns the settings; null if nothing is sent. A key of the configuration replaces the variable for the same thing. Variables that cannot
 * be used are ignored, because they may be meant for other programs.
 * @throws PaddockError BAD_INPUT for an endpoint of the configuration that is not a URL
 */
export function readOtlp(input: OtlpInput, env: Environment): OtlpSettings | null {
  const endpoint = input.endpoint === undefined ? endpointOf(env) : configured(input.endpoint)
  if (endpoint === null) return null
  const headers =
    input.headers !== undefined
      ? { place: 'telemetry.otlp.headers', reference: input.headers }
      : env[headersVariable]
        ? { place: headersVariable, text: env[headersVariable] }
        : null
  return {
    endpoint,
    headers,
    content: input.content ?? false,
    timeoutMs: input.timeout ?? defaultTimeoutMs,
    encoding: env[protocolVariable] === 'http/json' ? 'json' : 'protobuf',
    temporality: temporalityOf(env),
    resource: resourceOf(env),
  }
}

function configured(text: string): OtlpSettings['endpoint'] | null {
  return text === 'none' ? null : { value: parseEndpoint(text, 'telemetry.otlp.endpoint'), place: 'telemetry.otlp.endpoint' }
}

/** https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
function endpointOf(env: Environment): OtlpSettings['endpoint'] | null {
  const text = env[endpointVariable]
  if (!text || env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env[protocolVariable] === 'grpc') return null
  try {
    return { value: parseEndpoint(text, endpointVariable), place: endpointVariable }
  } catch {
    return null
  }
}

/**
 * Parses the base URL of a collector.
 * @throws PaddockError BAD_INPUT
 */
export function parseEndpoint(text: string, place: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === ''
  if (url !== null && isPlain) return url.href.replace(/\/+$/, '')
  throw new PaddockError('BAD_INPUT', `${place}: ${JSON.stringify(text)} is not the URL of a collector.`, {
    hint: 'Write http://HOST:4318 or https://HOST/PATH, without a login in it',
  })
}

/** Parses NAME=VALUE pairs separated by commas, with %XX in values (W3C Baggage). Pairs in another form are left out. */
export function readPairs(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((each) => {
    const [, name = '', value = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(.*?)\s*$/.exec(each) ?? []
    return name === '' ? [] : [[name, decoded(value)] as const]
  })
  return Object.fromEntries(pairs)
}

/** https://opentelemetry.io/docs/specs/otel/metrics/sdk_exporters/otlp/#additional-environment-variable-configuration */
function temporalityOf(env: Environment): Temporality {
  return /^(?:delta|lowmemory)$/i.test(env[temporalityVariable] ?? '') ? 'delta' : 'cumulative'
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function resourceOf(env: Environment): Readonly<Record<string, string>> {
  const attributes = readPairs(env['OTEL_RESOURCE_ATTRIBUTES'] ?? '')
  return { 'service.name': 'paddock', ...attributes, ...(env['OTEL_SERVICE_NAME'] ? { 'service.name': env['OTEL_SERVICE_NAME'] } : {}) }
}

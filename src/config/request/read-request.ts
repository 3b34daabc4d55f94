import { PaddockError } from '../../base/errors.ts'
import { defaultPosture } from '../../base/posture.ts'
import type { OriginedRule } from '../../base/trifecta-rating.ts'
import { credentialModes, parseCredentialWay } from '../../credentials/credential-way.ts'
import { parseSecretWish } from '../../credentials/secret-wish.ts'
import { parseRepository } from '../../egress/forge/repository.ts'
import { parseAllow, parseAsk } from '../../egress/policy/allow.ts'
import { parseBlock } from '../../egress/policy/block.ts'
import { egressModes } from '../../egress/policy/egress-policy.ts'
import { parseRule, parseRuleSet } from '../../egress/requests/rule-text.ts'
import { readLimits } from './limit-texts.ts'
import type { EgressRequest, Origin, RunRequest, Sourced } from './request.ts'
import type { EgressInput, RequestInput } from './request-schema.ts'
import { sharedDeps } from './shared-deps.ts'

/** Returns the origin of a key's value, or of the list item at an index. Keys are those of the input: `model`, `egress.allow`. */
export type OriginOf = (key: string, index?: number) => Origin

/** The facts that a reader adds to the input: which agent runs, and how. */
export interface RequestBy {
  readonly agent: string
  readonly command?: readonly string[]
  readonly terminal?: boolean
  readonly asIs?: boolean
  readonly private?: boolean
  readonly publish?: readonly number[]
  readonly degraded?: readonly string[]
  readonly strictNames?: boolean | readonly string[]
  readonly untrusted?: readonly string[]
  readonly trifecta?: OriginedRule
  /** The value of `--deps`, or of the configuration. */
  readonly deps?: string
  readonly brief?: boolean
  readonly isBareHost?: boolean
}

/** Guarantees that a run may give up. */
const degradable = ['memory', 'cpus', 'run-later', 'nested-sandbox']

/**
 * Parses the texts of a request, from the command line, a configuration file, contest.yaml or a manifest.
 * @throws PaddockError BAD_INPUT with the option or key, the mistake and the correct form
 */
export function readRequest(by: RequestBy, input: RequestInput, originOf: OriginOf): RunRequest {
  const list = <T>(key: string, texts: readonly string[] | undefined, read: (text: string, place: string) => T): readonly Sourced<T>[] =>
    (texts ?? []).map((text, index) => {
      const origin = originOf(key, index)
      return { value: read(text, origin.place), origin }
    })
  const values = <T>(key: string, texts: readonly string[] | undefined, read: (text: string, place: string) => T): readonly T[] =>
    list(key, texts, read).map((each) => each.value)
  const same = (text: string): string => text
  return {
    agent: by.agent,
    command: by.command ?? [],
    model: input.model ?? null,
    args: input.args ?? [],
    ...(by.asIs === true ? { asIs: true } : {}),
    baseUrl: input.baseUrl === undefined ? null : { value: readUrl(input.baseUrl, originOf('baseUrl').place), origin: originOf('baseUrl') },
    terminal: by.terminal ?? false,
    credentials: input.credentials === undefined ? null : readWay(input.credentials, originOf('credentials').place),
    login: input.login ?? true,
    secrets: values('secrets', input.secrets, parseSecretWish),
    repositories: values('repos', input.repos, parseRepository),
    env: list('env', input.env, same),
    mounts: [
      ...list('ro', input.ro, (path) => ({ path, access: 'ro' as const })),
      ...list('rw', input.rw, (path) => ({ path, access: 'rw' as const })),
    ],
    masks: list('mask', input.mask, same),
    egress: readEgress(input.egress ?? {}, by.private ?? false, originOf, list),
    limits: readLimits(input.limits ?? {}, (key) => originOf(`limits.${key}`).place),
    publish: by.publish ?? [],
    posture: input.posture ?? defaultPosture,
    ...(input.webTools === false ? { withoutWebTools: originOf('webTools') } : {}),
    ...(by.trifecta === undefined ? {} : { trifecta: by.trifecta }),
    backend: input.backend ?? 'auto',
    ...(by.isBareHost === true ? { isBareHost: true } : {}),
    untrusted: by.untrusted ?? [],
    deps: readDeps(by.deps ?? 'own'),
    strictNames: by.strictNames ?? false,
    brief: by.brief ?? true,
    degraded: readDegraded(by.degraded ?? []),
  }
}

function readDeps(text: string): RunRequest['deps'] {
  const way = sharedDeps.find((each) => each === text)
  if (way !== undefined) return way
  throw new PaddockError('BAD_INPUT', `--deps ${text}: there is no such way.`, { hint: `Use one of: ${sharedDeps.join(', ')}` })
}

function readEgress(
  input: EgressInput,
  isPrivate: boolean,
  originOf: OriginOf,
  list: <T>(key: string, texts: readonly string[] | undefined, read: (text: string, place: string) => T) => readonly Sourced<T>[],
): EgressRequest {
  const policy = input.policy ?? 'allowlist'
  const origin = originOf('egress.policy')
  const mode = egressModes.find((each) => each === policy)
  if (mode === undefined)
    throw new PaddockError('BAD_INPUT', `${origin.place} ${policy}: there is no such policy.`, {
      hint: `Use one of: ${egressModes.join(', ')}`,
    })
  return {
    policy: { value: mode, origin },
    private: isPrivate,
    allow: list('egress.allow', input.allow, (text, place) => parseAllow(text, { place })),
    ask: list('egress.ask', input.ask, parseAsk),
    block: list('egress.block', input.block, parseBlock),
    presets: list('egress.presets', input.presets, (text) => text),
    inspect: list('egress.inspect', input.inspect, (text, place) => parseAllow(text, { place })),
    rules: list('egress.rules', input.rules, parseRule),
    ruleSets: list('egress.ruleSets', input.ruleSets, parseRuleSet),
  }
}

function readUrl(text: string, place: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new PaddockError('BAD_INPUT', `${place} ${text} is not an http or https address.`, {
    hint: 'For example --base-url https://models.example',
  })
}

function readWay(text: string, place: string): RunRequest['credentials'] {
  const found = parseCredentialWay(text)
  if (found !== null) return found
  throw new PaddockError('BAD_INPUT', `${place} ${text}: there is no such way.`, {
    hint: `Use one of: ${credentialModes.join(', ')}, volume:NAME`,
  })
}

function readDegraded(names: readonly string[]): readonly string[] {
  const unknown = names.find((each) => !degradable.includes(each))
  if (unknown === undefined) return [...new Set(names)]
  throw new PaddockError('BAD_INPUT', `--allow-degraded ${unknown}: there is no such guarantee.`, {
    hint: `Use one of: ${degradable.join(', ')}`,
  })
}

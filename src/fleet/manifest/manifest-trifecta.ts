import { rated, type TrifectaRating } from '../../base/trifecta-rating.ts'
import { parseRepository } from '../../egress/forge/repository.ts'
import { parseRule } from '../../egress/requests/rule-text.ts'
import { untrustedContent, untrustedSources } from '../../run/trifecta/untrusted-content.ts'
import { looksSecret } from '../../secrets/looks-secret.ts'
import type { Capabilities } from '../machine/capabilities.ts'
import type { Manifest } from './manifest-schema.ts'

/** The agents of this machine, with their own web tools. */
export type WebAgents = readonly Pick<Capabilities['agents'][number], 'name' | 'webTool'>[]

/** Returns the rating of the cells of a manifest's jobs. What is only known when a job starts, such as how old a clone is, is not in it. */
export function manifestTrifecta(manifest: Manifest, agents: WebAgents): TrifectaRating {
  return rated({ privateData: privateData(manifest), untrusted: untrusted(manifest, agents), wayOut: wayOut(manifest) })
}

function privateData({ workspace = 'own', posture, env = [], secrets = [] }: Manifest): readonly string[] {
  const place =
    workspace === 'own'
      ? 'a directory of its own (rw)'
      : 'copy' in workspace
        ? `${workspace.copy} (a copy, rw)`
        : 'worktree' in workspace
          ? `${workspace.worktree} (a work tree, rw)`
          : `${workspace.project} (rw)`
  const names = [...env, ...secrets].map((each) => each.split('=', 1)[0] ?? '').filter((each) => looksSecret(each))
  return [place, ...(posture === 'L1' ? ['your home directory (ro)'] : []), ...names.map((each) => `$${each}`)]
}

function untrusted(
  { kind, agent, command = [], egress = {}, baseUrl, mcp = {}, webTools, repos = [] }: Manifest,
  agents: WebAgents,
): readonly string[] {
  const name = agent === 'acp' ? command[0] : agent
  const webTool = kind === 'model' ? null : agents.find((each) => each.name === name)?.webTool
  const wishes = {
    egress: {
      presets: (egress.presets ?? []).map((value) => ({ value })),
      allow: (egress.allow ?? []).map(hostOf),
      ask: (egress.ask ?? []).map(hostOf),
      inspect: (egress.inspect ?? []).map(hostOf),
      rules: (egress.rules ?? []).map((each) => ({ value: parseRule(each, 'egress.rules') })),
    },
    repositories: repos.map((each) => parseRepository(each, 'repos')),
    baseUrl: baseUrl === undefined ? null : { value: baseUrl },
    ...(webTools === false ? { withoutWebTools: { place: 'webTools', from: 'caller' as const } } : {}),
  }
  const anywhere = egress.policy === 'public' || egress.policy === 'open'
  const sources = untrustedSources(wishes, webTool == null ? {} : { webTool }, { now: 0, servers: Object.keys(mcp) })
  return [...(anywhere ? ['the internet'] : []), ...untrustedContent(sources)]
}

function wayOut({ kind, agent, egress = {}, baseUrl, repos = [], secrets = [] }: Manifest): readonly string[] {
  const { policy = 'allowlist', allow = [], ask = [], inspect = [], rules = [], presets = [] } = egress
  if (policy !== 'allowlist') return policy === 'off' ? [] : [policy]
  const model = kind === 'model' || agent === 'command' ? [] : [baseUrl ?? `what ${agent} itself needs`]
  const ofSecrets = secrets.flatMap((each) => /@(.+)$/.exec(each)?.[1] ?? [])
  return [
    ...new Set([
      ...model,
      ...allow,
      ...ask.map((each) => `${each} (asked)`),
      ...inspect,
      ...rules.map((each) => parseRule(each, 'egress.rules').entry.host),
      ...presets.map((each) => `preset ${each}`),
      ...repos,
      ...ofSecrets,
    ]),
  ]
}

function hostOf(text: string): { readonly value: { readonly host: string } } {
  return { value: { host: text.split(/[:=]/, 1)[0] ?? '' } }
}

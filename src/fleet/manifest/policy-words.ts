import { defaultPosture } from '../../base/posture.ts'
import type { Budget } from '../../config/budget.ts'
import type { Manifest } from './manifest-schema.ts'

/** One fact of a policy. `why`: the key that sets the fact, or the mechanism that enforces it. */
export interface PolicyFact {
  readonly text: string
  readonly why: string
}

/** An agent's permissions, actions that it must ask for, and prohibitions: phrases that continue "may", "must ask" or "may not". */
export interface PolicyWords {
  readonly may: readonly PolicyFact[]
  readonly mustAsk: readonly PolicyFact[]
  readonly mayNot: readonly PolicyFact[]
}

/** Returns the policy of a manifest as text. The text describes the requested cell; a machine that cannot enforce it refuses elsewhere. */
export function policyWords(manifest: Manifest): PolicyWords {
  const parts = [network(manifest), files(manifest), tools(manifest), credentials(manifest), use(manifest)]
  return {
    may: parts.flatMap(({ may = [] }) => may),
    mustAsk: parts.flatMap(({ mustAsk = [] }) => mustAsk),
    mayNot: parts.flatMap(({ mayNot = [] }) => mayNot),
  }
}

type Part = Partial<PolicyWords>
const fact = (text: string, why: string): PolicyFact => ({ text, why })

function network({ egress = {}, agent, kind, baseUrl, provider, repos = [] }: Manifest): Part {
  const { policy = 'allowlist', allow = [], ask = [], presets = [], inspect = [], rules = [], ruleSets = [], block = [] } = egress
  if (policy === 'off') return { mayNot: [fact('reach anything over a network', 'structural: its cell has no network')] }
  const model =
    baseUrl === undefined ? (kind === 'model' ? `the endpoint of ${provider ?? 'its provider'}` : `what ${agent} itself needs`) : baseUrl
  const named = [
    ...allow.map((each) => fact(`reach ${each}`, 'egress.allow')),
    ...inspect.map((each) => fact(`reach ${each}`, 'egress.inspect: its requests are judged by the rules')),
    ...presets.map((each) => fact(`reach the hosts of ${each}`, 'egress.presets')),
    ...repos.map((each) =>
      fact(
        `work with the repository ${each.replace(/=write$/, '')}${each.endsWith('=write') ? ', also pushing' : ', reading only'}`,
        'repos',
      ),
    ),
  ]
  const denied = rules
    .filter((each) => /^deny\b/i.test(each))
    .map((each) => fact(`send requests like ${each.replace(/^deny\s+/i, '')}`, 'egress.rules'))
  const held = rules
    .filter((each) => /^ask\b/i.test(each))
    .map((each) => fact(`to send requests like ${each.replace(/^ask\s+/i, '')}`, 'egress.rules'))
  // An entry with an address leads to that address, also within the user's network; so does the endpoint of its own model.
  const isPinned = [...allow, ...inspect].some((each) => each.includes('='))
  const sets = (isAsking: boolean) => ruleSets.filter((each) => each.endsWith('=ask') === isAsking)
  return {
    may: [
      ...(kind === 'model' || agent === 'command' ? [] : [fact(`reach ${model}`, 'its model')]),
      ...named,
      ...(policy === 'public' ? [fact('reach every public address of the internet', 'egress.policy: public')] : []),
      ...(policy === 'open' ? [fact('reach every address but those of its own cell, also of your network', 'egress.policy: open')] : []),
    ],
    mustAsk: [
      ...ask.map((each) => fact(each === '*' ? 'to reach any other host' : `to reach ${each}`, 'egress.ask: no answer counts as no')),
      ...held,
      ...sets(true).map((each) => fact(`for what ${each.replace(/=ask$/, '')} covers`, 'egress.ruleSets')),
    ],
    mayNot: [
      ...(policy === 'allowlist' && !ask.includes('*')
        ? [fact('reach any other host', 'structural: its only way out is the gateway')]
        : []),
      ...(policy === 'open'
        ? []
        : [
            isPinned
              ? fact('reach any other address of your own network or this machine', 'structural: there is no route to it')
              : fact('reach an address of your own network or this machine', 'structural: there is no route'),
          ]),
      ...block.map((each) => fact(`reach ${each}`, 'egress.block')),
      ...denied,
      ...sets(false).map((each) => fact(`do what ${each} covers`, 'egress.ruleSets')),
    ],
  }
}

function files(manifest: Manifest): Part {
  const { posture = defaultPosture } = manifest
  if (posture !== 'L1')
    return workspaceFiles(manifest, fact('see your home directory, other projects or other agents', 'structural: they are not mounted'))
  const { may = [], ...others } = workspaceFiles(
    manifest,
    fact('change your other files, or read your credentials', 'posture: L1: overlays without them'),
  )
  return { ...others, may: [...may, fact('read your home directory and other files of this machine', 'posture: L1')] }
}

function workspaceFiles({ workspace = 'own' }: Manifest, rest: PolicyFact): Part {
  const later = fact(
    'change files that run later, such as .git/hooks and .envrc',
    'policy: they are read-only in the cell, or marked for you',
  )
  if (workspace === 'own')
    return { may: [fact('read and change a directory of its own', 'workspace: it is kept from job to job')], mayNot: [rest] }
  if ('copy' in workspace)
    return {
      may: [fact(`read and change a copy of ${workspace.copy}`, 'nothing reaches the project until you apply it')],
      mayNot: [rest, later],
    }
  if ('worktree' in workspace)
    return {
      may: [
        fact(
          `read and change a work tree of ${workspace.worktree}, and the commits and branches of that repository`,
          'workspace.worktree: your files and the branch that you have checked out stay until you merge',
        ),
      ],
      mayNot: [rest, later],
    }
  return { may: [fact(`read and change ${workspace.project}`, 'workspace.project: one job at a time')], mayNot: [rest, later] }
}

function tools({ kind, tools: listed = [], delegates = [], mcp = {} }: Manifest): Part {
  const plain = listed.filter((each) => !each.startsWith('ask '))
  const held = listed.filter((each) => each.startsWith('ask ')).map((each) => each.slice('ask '.length))
  const servers = Object.keys(mcp)
  return {
    may: [
      ...(plain.length === 0 ? [] : [fact(`use ${plain.join(', ')}`, 'tools: they work in its cell')]),
      ...(servers.length === 0
        ? []
        : [fact(`use the MCP servers ${servers.join(', ')}`, 'mcp: they run in its cell, or are reached from it')]),
      ...(delegates.length === 0 || !plain.includes('delegate')
        ? []
        : [fact(`give jobs to ${delegates.join(', ')}`, 'delegates: under their own policies')]),
    ],
    mustAsk: held.map((each) => fact(`for each call of ${each}`, 'tools: it is held until somebody allows it')),
    mayNot: kind === 'model' ? [fact('use any other tool', 'structural: the model is offered no other')] : [],
  }
}

function credentials({ agent, kind, credentials: way = 'placeholder', secrets = [] }: Manifest): Part {
  const name = kind === 'model' ? 'the key of its model' : `the login of ${agent}`
  const isSeen = way === 'snapshot' || way.startsWith('volume')
  const own: Part =
    kind === 'model'
      ? { mayNot: [fact(`read ${name}`, 'structural: only the host process has it')] }
      : agent === 'command' || way === 'none'
        ? {}
        : isSeen
          ? { may: [fact(`read ${name}`, `credentials: ${way}: its cell holds it`)] }
          : {
              mayNot: [
                fact(
                  `read ${name}`,
                  way === 'endpoint'
                    ? 'structural: the gateway adds it on the way'
                    : 'structural: it holds a placeholder; the gateway swaps it on the way',
                ),
              ],
            }
  const lent = secrets.map((each) => {
    const [variable = each, from = ''] = each.split(/=(.*)/s)
    const hosts = /@(.+)$/.exec(from)?.[1]
    return fact(
      `use the secret ${variable}${hosts === undefined ? '' : ` at ${hosts}`}`,
      'secrets: it holds a placeholder; the gateway swaps it on the way',
    )
  })
  return { ...own, may: [...(own.may ?? []), ...lent] }
}

function use({ limits = {}, budgets = {}, parallel = 1 }: Manifest): Part {
  const bounds = [
    ...(limits.memory === undefined ? [] : [`${limits.memory} of memory`]),
    ...(limits.cpus === undefined ? [] : [`${limits.cpus} processors`]),
    ...(limits.pids === undefined ? [] : [`${limits.pids} processes`]),
    ...(limits.disk === undefined ? [] : [`${limits.disk} of disk`]),
    ...(limits.timeout === undefined ? [] : [`${limits.timeout} for a job`]),
  ]
  const spend = (['job', 'day', 'month'] as const).flatMap((each) =>
    budgets[each] === undefined ? [] : [`${budgetText(budgets[each])} a ${each}`],
  )
  return {
    may: [
      ...(spend.length === 0 ? [] : [fact(`use ${spend.join(', and ')}`, 'budgets: then its jobs wait for you')]),
      ...(parallel === 1 ? [] : [fact(`work on ${parallel} jobs at once`, 'parallel: each has a workspace of its own')]),
    ],
    mayNot: [
      fact(
        bounds.length === 0 ? 'use more than the limits of this machine for cells' : `use more than ${bounds.join(', ')}`,
        'limits: the cell is ended',
      ),
    ],
  }
}

function budgetText({ usd, tokens, turns, time }: Budget): string {
  return [
    ...(usd === undefined ? [] : [`$${usd}`]),
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    ...(turns === undefined ? [] : [`${turns} turns`]),
    ...(time === undefined ? [] : [`${time} of its cells`]),
  ].join(' or ')
}

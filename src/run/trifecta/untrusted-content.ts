import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AgentAdapter } from '../../adapters/adapter.ts'
import type { RunRequest } from '../../config/request/request.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Days for which a clone counts as somebody else's. */
const freshDays = 7

/** Where a run takes place. */
interface Place {
  /** The project on the host; absent: none. */
  readonly project?: string | undefined
  /** The current time, in milliseconds since the epoch. */
  readonly now: number
  /** The names of MCP servers that the agent gets. */
  readonly servers: readonly string[]
}

/** The sources from which an agent reads text that others wrote, by what removes them, each as a short phrase. */
export interface UntrustedSources {
  /** Sources that the user named. */
  readonly said: readonly string[]
  /** The agent's own web tool. */
  readonly webTool: readonly string[]
  /** Presets, repositories and hosts that the cell may reach, by whatever option. */
  readonly hosts: readonly string[]
  readonly servers: readonly string[]
  readonly clone: readonly string[]
}

type Hosts = readonly { readonly value: { readonly host: string } }[]

/** The parts of a request, or of a manifest, on which its sources depend. */
export interface UntrustedWishes extends Pick<RunRequest, 'withoutWebTools'> {
  readonly egress: {
    readonly presets: readonly { readonly value: string }[]
    readonly allow: Hosts
    readonly ask: Hosts
    /** A host becomes reachable if its requests are inspected, or if there is a rule for it. */
    readonly inspect: Hosts
    readonly rules: readonly { readonly value: { readonly entry: { readonly host: string } } }[]
    /** True: hosts to inspect have no effect, except those that the agent itself needs. */
    readonly private?: boolean
  }
  /** Others write their issues and commits. */
  readonly repositories: readonly Pick<RunRequest['repositories'][number], 'host' | 'path'>[]
  readonly baseUrl: { readonly value: string } | null
}

/** Returns the sources of a run: the untrusted content of the lethal trifecta. */
export function untrustedSources(
  { egress, repositories, baseUrl, withoutWebTools }: UntrustedWishes,
  { webTool, hosts: needed = [] }: Pick<AgentAdapter, 'webTool'> & Partial<Pick<AgentAdapter, 'hosts'>>,
  { project, now, servers }: Place,
  said: readonly string[] = [],
): UntrustedSources {
  const clone = project === undefined ? null : freshClone(project, now)
  // The text of its own model is not text of others.
  const model = baseUrl === null ? null : (URL.parse(baseUrl.value)?.hostname ?? null)
  const checked = [...egress.inspect.map(({ value }) => value.host), ...egress.rules.map(({ value }) => value.entry.host)]
  const opened = egress.private === true ? [] : checked.filter((each) => needed.every(({ host }) => host !== each))
  const hosts = [...[...egress.allow, ...egress.ask].map(({ value }) => value.host), ...opened].filter((each) => each !== model)
  return {
    said,
    webTool: webTool === undefined || withoutWebTools !== undefined ? [] : [webTool],
    hosts: [
      ...egress.presets.map(({ value }) => `preset ${value}`),
      ...repositories.map(({ host, path: of }) => `repository ${[host, ...(of ?? ['*'])].join('/')}`),
      ...hosts,
    ],
    servers: servers.map((each) => `MCP server ${each}`),
    clone: clone === null ? [] : [clone],
  }
}

/** Returns all sources as one list, once each. */
export function untrustedContent({ said, webTool, hosts, servers, clone }: UntrustedSources): readonly string[] {
  return [...new Set([...said, ...webTool, ...hosts, ...servers, ...clone])]
}

/** Returns a phrase if a project was cloned from elsewhere within the last days, from its reflog (git-reflog(1)); null: it was not. */
export function freshClone(project: string, now: number): string | null {
  let first: string
  try {
    ;[first = ''] = readFileSync(path.join(project, '.git/logs/HEAD'), 'utf8').split('\n', 1)
  } catch {
    return null
  }
  const [, seconds = '', from = ''] = /> (\d+) [+-]\d{4}\tclone: from (.+)$/.exec(first) ?? []
  const days = Math.floor((now - Number(seconds) * 1000) / dayMs)
  return from === '' || days < 0 || days >= freshDays
    ? null
    : `a clone of ${withoutLogin(from)} (${days === 0 ? 'today' : `${days} d ago`})`
}

/** Returns the name of a repository without the login that its URL may contain. */
function withoutLogin(from: string): string {
  return from.replace(/^([a-z+]+:\/\/)[^@/]*@/, '$1')
}

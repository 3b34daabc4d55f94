import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AgentAdapter } from '../adapters/adapter.ts'
import type { RunRequest } from '../config/request/request.ts'

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

/**
 * Returns the sources from which an agent reads text that others wrote, each as a short phrase: the untrusted content of the lethal trifecta.
 * `said`: sources that the user named.
 */
export function untrustedContent(
  request: Pick<RunRequest, 'egress'>,
  adapter: Pick<AgentAdapter, 'webTool'>,
  { project, now, servers }: Place,
  said: readonly string[] = [],
): readonly string[] {
  const { presets, allow, ask } = request.egress
  const clone = project === undefined ? null : freshClone(project, now)
  const hosts = [...allow, ...ask].map(({ value }) => value.host)
  return [
    ...new Set([
      ...said,
      ...(adapter.webTool === undefined ? [] : [adapter.webTool]),
      ...presets.map(({ value }) => `preset ${value}`),
      ...hosts,
      ...servers.map((each) => `MCP server ${each}`),
      ...(clone === null ? [] : [clone]),
    ]),
  ]
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

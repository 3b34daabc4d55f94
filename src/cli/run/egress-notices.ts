import { isIP } from 'node:net'
import type { EgressNotice, InternalName, OnEgressNotice } from '../../egress/notice.ts'
import { internalPlace } from './internal-place.ts'

/** Maximum number of lines of each kind, because a cell can make up any number of names. */
const mostLines = 5

const unresolvable = (host: string): string => `the name ${host} does not resolve on this machine`
const consequence = ', so the cell cannot reach it'

/** Returns the text of an option, or of what stands for it in a file. */
type OptionText = (option: string, value: string) => string

const onCommandLine: OptionText = (option, value) => `${option} ${value}`

/**
 * Returns a function that reports each name that a cell cannot reach, and each host that it was denied, once and when it happens. Each
 * line gives the option that allows it.
 */
export function egressNotices(say: (line: string) => void, option: OptionText = onCommandLine): OnEgressNotice {
  const hosts = new Set<string>()
  const lines = { name: 0, denied: 0 }
  return (notice) => {
    // The proxy resolves a name, and may fail to connect to it.
    const about = notice.kind === 'upstream-resolves' ? `${notice.host} ` : notice.host
    if (hosts.has(about)) return
    const kind = notice.kind === 'denied' ? 'denied' : 'name'
    if (lines[kind] > mostLines) return
    hosts.add(about)
    lines[kind]++
    if (lines[kind] <= mostLines) say(textOf(notice, option))
    else if (kind === 'denied') say('more hosts are denied; --report FILE lists them')
  }
}

function textOf(notice: EgressNotice, option: OptionText): string {
  switch (notice.kind) {
    case 'unresolvable':
      return unresolvable(notice.host) + consequence
    case 'upstream-resolves':
      return `upstream-resolves is given up for ${notice.host}: only the proxy ${notice.proxy} resolves it, so nothing here judges its address`
    case 'upstream-failed':
      return `${notice.host}: ${notice.problem}`
    case 'internal-address':
      return internalText(notice, option)
    case 'denied': {
      const { host, port, reason } = notice
      const name = port === null ? host : `${host}:${port}`
      return `denied ${name} (${reason})${reason === 'not-allowed' && isIP(host) === 0 ? `; to allow it: ${option('--allow', name)}` : ''}`
    }
  }
}

function internalText(notice: InternalName, option: OptionText): string {
  const { text, pin } = internalPlace(notice)
  return pin === null || notice.option === null ? text + consequence : `${text}; to allow it: ${option(notice.option, pin)}`
}

/** Returns the notices about names that the last lines do not mention. */
export function noticesBeyond(lastLines: readonly string[], notices: readonly string[]): readonly string[] {
  return notices.filter(
    (each) => !each.endsWith(consequence) || !lastLines.some((line) => line.includes(each.slice(0, -consequence.length))),
  )
}

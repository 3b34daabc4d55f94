import { formatMoment } from '../../base/quantities.ts'
import type { EgressSummary, FailedModelCall } from '../../egress/egress-summary.ts'
import type { ApiTrouble } from './run-summary.ts'

/** The reason why an agent got no answer from its model. `unanswered` explains a limit that was reached, and the model may only be slow. */
export type EndpointCause = EndpointFailure | Explained<'unanswered'>
export type EndpointFailure = Explained<ApiTrouble['kind']>

interface Explained<Kind extends string> {
  readonly kind: Kind
  /** A clause about the problem, followed by its reporter in parentheses. */
  readonly text: string
  readonly resetsAt: number | null
  /** True: the gateway itself refused, because a login could not be renewed for now. A CLI reports that as a refused login. */
  readonly notRenewed?: true
}

/**
 * Returns the newest problem with the model API in a run that did not end well; null if the model has answered since. The gateway's records
 * take precedence over the CLI's reports. A line on standard error has no order relative to the answers, so it counts only if the gateway
 * saw no answer.
 * @param now milliseconds since the epoch at the run's end.
 */
export function endpointCause(
  models: EgressSummary['models'],
  said: { readonly agent: string; readonly trouble: ApiTrouble | null } | null,
  now: number,
): EndpointCause | null {
  const seen = models?.failed.at(-1)
  const trouble = said?.trouble ?? null
  if (seen !== undefined) return seenCause(seen, trouble?.resetsAt ?? null, now)
  if (said === null || trouble === null || (trouble.from === 'standard error' && (models?.answered ?? 0) > 0)) return null
  return reportedCause(said.agent, trouble, now)
}

function seenCause(call: FailedModelCall, reported: number | null, now: number): EndpointCause {
  const { host, status, count } = call
  const resetsAt = call.resetsAt ?? reported
  const times = count === 1 ? '' : `, ${count} times`
  const failed = (who: string): EndpointCause => ({ kind: 'endpoint-failed', text: `the model endpoint failed (${who}${times})`, resetsAt })
  switch (call.kind) {
    case 'cut':
      return failed(`${host} cut its answer off`)
    case 'unreachable':
      return failed(`the connection to ${host} failed`)
    case 'unresolvable':
      return failed(`the name ${host} does not resolve on this machine`)
    case 'unanswered':
      return {
        kind: 'unanswered',
        text: `the model endpoint ${host} did not answer for ${Math.round(call.waitedMs / 1000)} s`,
        resetsAt: null,
      }
    case 'not-renewed':
      return { kind: 'endpoint-failed', text: withoutLogin(call.why), resetsAt: null, notRenewed: true }
    case 'no-credential':
      return { kind: 'login-needed', text: withoutLogin(call.why), resetsAt: null }
    case 'refused':
      if (status === 429) return limited(resetsAt, `${host} answered 429${times}`, now)
      if (status === 401 || status === 403) return refusedLogin(`${host} answered ${status}${times}`)
      return failed(`${host} answered ${status}`)
  }
}

function reportedCause(agent: string, { kind, message, resetsAt, from }: ApiTrouble, now: number): EndpointCause {
  const where = from === 'output' ? '' : ' on standard error'
  if (kind === 'rate-limited') return limited(resetsAt, `${agent} reported it${where}`, now)
  const who = `${agent} reported${where}: ${message}`
  if (kind === 'login-needed') return refusedLogin(who)
  return { kind, text: `the model endpoint failed (${who})`, resetsAt }
}

function limited(resetsAt: number | null, who: string, now: number): EndpointCause {
  return {
    kind: 'rate-limited',
    text: `rate limited${resetsAt === null ? '' : ` until ${formatMoment(resetsAt, now)}`} (${who})`,
    resetsAt,
  }
}

function refusedLogin(who: string): EndpointCause {
  return { kind: 'login-needed', text: `its login was refused (${who})`, resetsAt: null }
}

/** Returns the reason of a failed renewal as a clause about the agent with this login. */
function withoutLogin(why = 'there is no usable login'): string {
  return why.replace(/^(?:The login of \S+|The \S+ login) /, 'its login ').replace(/\.$/, '')
}

import type { AgentEvent } from './agent-events.ts'
import { resetTime } from './reset-time.ts'

const loginWords =
  /please run \/login|not logged in|please (?:log|sign) in|login required|unauthenticated|invalid (?:x-)?api[ -]?key|incorrect api key|api key not valid|api_key_invalid|api key is missing|authentication_error|\b401 unauthorized\b|token (?:has |is )?expired|missing environment variable: `\w*(?:key|token)|you must specify the \w+ environment variable|set an auth method|invalid auth method/i
const limitWords =
  /usage limit|rate.?limit|too many requests|exhausted your \w+ quota|quota (?:exceeded|reached)|exceeded your (?:current )?quota|exhausted your capacity|resource has been exhausted|resource_exhausted|hit your (?:\w+ )?limit|\b429\b/i

/**
 * Returns the meaning of an error message. Only for text that is an error because of its origin (a typed error event, the standard error
 * of a failed run), never for an agent's prose.
 */
export function diagnose(message: string, now: number, final: boolean): AgentEvent {
  const text = message.slice(0, 4_000)
  if (limitWords.test(text)) return { type: 'rate-limit', message: text, resetsAt: resetTime(text, now), final }
  if (loginWords.test(text)) return { type: 'login-needed', message: text }
  return { type: 'error', message: text }
}

/** Returns true for a line outside an agent's output format that asks for a login. */
export function asksForLogin(line: string): boolean {
  return line.length <= 400 && !line.trimStart().startsWith('{') && loginWords.test(line)
}

/**
 * Returns the meaning of an error of a model API by its HTTP status. 0: there was no status, because the answer was cut off or unreadable.
 */
export function diagnoseStatus(status: number, message: string, now: number, final: boolean): AgentEvent {
  if (status === 429) return { type: 'rate-limit', message, resetsAt: resetTime(message, now), final }
  if (status === 401 || status === 403) return { type: 'login-needed', message }
  const diagnosed = diagnose(message, now, final)
  return status >= 400 && status < 500 && status !== 408 ? diagnosed : asEndpointError(diagnosed)
}

/** Marks an error as an error of the model API, because of its origin. Events about limits or logins stay the same. */
export function asEndpointError(event: AgentEvent): AgentEvent {
  return event.type === 'error' ? { ...event, endpoint: true } : event
}

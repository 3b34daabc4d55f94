/** A human's answer that led to a decision. */
export interface Answer {
  readonly id: string
  readonly allowed: boolean
  readonly scope: string
  readonly by: string
  /** The token or session; null if the answer was given on the machine itself, or if it is not known. */
  readonly actor: string | null
}

/** The reasons for which a gateway denies a connection. */
const reasons: Readonly<Record<string, string>> = {
  'not-allowed': 'no rule allows it',
  'literal-address': 'an address without a name',
  'not-tls': 'not TLS',
  'not-http': 'not HTTP',
  'no-sni': 'TLS without a server name',
  'sni-mismatch': 'another server name',
  'host-mismatch': 'another Host header',
  malformed: 'malformed',
  unresolvable: 'the name has no address',
  'internal-address': 'internal address',
  unreachable: 'allowed, but the host did not answer',
  'too-many': 'too many connections',
  rule: 'a rule for requests',
  'not-approved': 'not approved',
  'bad-certificate': 'the certificate of the host is invalid',
  'no-credential': 'no usable credential',
  'not-renewed': 'the login could not be renewed',
  'foreign-credential': 'a credential that is not its own',
  'unreadable-answer': 'an answer that cannot be read',
}

/** The origins of answers that were not given by a human. */
const ends: Readonly<Record<string, string>> = {
  remembered: 'a remembered answer',
  time: 'nobody answered in time',
  room: 'too many questions were open',
  unreadable: 'the request is too long to review',
  end: 'its run ended before an answer',
}

const scopes: Readonly<Record<string, string>> = { once: 'once', cell: 'for this cell', always: 'always' }

/** Returns an answer as text: the person, the verdict, and its scope. */
export function answerText({ allowed, scope, by, actor }: Answer): string {
  const reach = scopes[scope] ?? scope
  if (ends[by] !== undefined) return by === 'remembered' ? `${ends[by]}: ${allowed ? 'allow' : 'deny'}` : ends[by]
  return `${allowed ? 'allowed' : 'denied'} ${reach} by ${actor ?? (by === 'terminal' ? 'the terminal of the run' : 'a command or another page')}`
}

/** Returns the name of the rule that led to a decision. */
export function decidedBy({
  data,
  isOfFleet,
  answer,
}: {
  readonly data: Readonly<Record<string, unknown>>
  readonly isOfFleet: boolean
  readonly answer: Answer | null
}): string {
  const { reason, source } = data
  if (answer !== null && (reason === undefined || reason === 'not-approved')) return answerText(answer)
  if (typeof reason === 'string' && (reason !== 'rule' || typeof source !== 'string')) return reasons[reason] ?? reason
  const rule = source === 'user' ? (isOfFleet ? 'its manifest' : 'an option of the run') : `rules ${String(source ?? 'of its policy')}`
  return reason === 'rule' ? `a rule of ${rule}` : rule
}

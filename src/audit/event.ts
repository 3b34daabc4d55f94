/** An event in the form in which the audit log stores it. `data` contains JSON values and never a secret. */
export interface AuditEvent {
  readonly kind: string
  readonly cell?: string
  /** Who caused it: the name of a token; absent: the user of this machine. */
  readonly actor?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Takes events; must never throw and never block its caller. */
export type AuditSink = (event: AuditEvent) => void

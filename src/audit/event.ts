/** One thing that happened, as the audit log keeps it. `data` holds JSON values and never a secret. */
export interface AuditEvent {
  readonly kind: string
  readonly cell?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Takes events; must never throw and never block its caller. */
export type AuditSink = (event: AuditEvent) => void

/** An event in the form in which the audit log stores it. `data` contains JSON values and never a secret. */
export interface AuditEvent {
  readonly kind: string
  readonly cell?: string
  /** The name of the token whose holder caused the event; absent: the user of this machine did. */
  readonly actor?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A receiver of events. It must never throw and never block its caller. */
export type AuditSink = (event: AuditEvent) => void

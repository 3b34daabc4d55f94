import type { UpstreamProxy } from '../connection/dial.ts'
import type { AddedCertificates } from './added-certificates.ts'
import type { UpstreamSettings } from './upstream-settings.ts'

/** The way from this machine to other hosts. */
export interface WayOut {
  /** Null: nothing is configured, and the environment says nothing. */
  readonly settings: UpstreamSettings | null
  /** Null: connections are direct. */
  readonly upstream: UpstreamProxy | null
  /** Returns the certificates that the user trusts in addition to the system's, read once. @throws PaddockError BAD_INPUT */
  readonly added: () => AddedCertificates
}

const none: AddedCertificates = { certificates: [], files: [], problems: [] }
const direct: WayOut = { settings: null, upstream: null, added: () => none }
let current = direct

/** Sets the way out of this process; null: direct. */
export function setWayOut(next: WayOut | null): void {
  current = next ?? direct
}

/** Returns the way that everything in this process uses that connects to other hosts. */
export function wayOut(): WayOut {
  return current
}

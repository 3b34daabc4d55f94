import { appendFileSync, chmodSync } from 'node:fs'
import { printable } from '../../base/text.ts'
import type { DenyReason } from '../../egress/egress-summary.ts'
import type { BackendCell } from '../backend.ts'
import { deniedLogFile } from '../plan/cell-files.ts'

const maxBytes = 64 * 1024
const lastLine = 'further denials are not listed\n'

const meanings: Partial<Record<DenyReason, string>> = {
  'not-allowed': 'the name or the port is not in the list of this cell',
  'literal-address': 'an address without a name',
  'not-tls': 'only TLS is allowed on this port',
  'not-http': 'only HTTP/1.1, and HTTP/2 over TLS, is allowed here',
  'no-sni': 'the TLS client names no server',
  'sni-mismatch': 'the TLS client names another server',
  'host-mismatch': 'the request names another host',
  unresolvable: 'the name does not resolve on the host',
  'internal-address': 'the name means an internal address',
  unreachable: 'nothing answered at the address',
  rule: 'a rule denies the request',
  'not-approved': 'the user was not asked or did not allow it',
}

/** Appends denials to the file that a cell sees, in lines without control characters, up to 64 KiB. */
export class DeniedLog {
  #file: string | null = null
  #text = ''
  #isFull = false

  /** Writes to the file from now on, and what was denied before. Does nothing if the cell has no such file. */
  open(cell: Pick<BackendCell, 'hostFile'>): void {
    this.#file = cell.hostFile?.(deniedLogFile) ?? null
    if (this.#file === null) return
    try {
      // The cell sees the same file, but through a mount that is read-only.
      chmodSync(this.#file, 0o644)
    } catch {
      this.#file = null
    }
    this.#write(this.#text)
  }

  add({ host, port, reason }: { readonly host: string; readonly port: number | null; readonly reason: DenyReason }): void {
    if (this.#isFull) return
    const meaning = meanings[reason]
    const line = `${printable(host).slice(0, 300)}${port === null ? '' : `:${port}`} ${reason}${meaning === undefined ? '' : `: ${meaning}`}\n`
    this.#isFull = Buffer.byteLength(this.#text + line + lastLine) > maxBytes
    const added = this.#isFull ? lastLine : line
    this.#text += added
    this.#write(added)
  }

  #write(text: string): void {
    if (this.#file === null || text === '') return
    try {
      appendFileSync(this.#file, text)
    } catch {
      // The cell has ended, or the disk is full. The audit log has the denial.
      this.#file = null
    }
  }
}

import { codeOf, messageOf, PaddockError } from '../../base/errors.ts'

/** System errors for what the host lacks (errno(3)). A submission cannot cause them in the files of the host by its contents. */
const codes = new Set(['ENOSPC', 'EDQUOT', 'ENOMEM', 'EAGAIN', 'EMFILE', 'ENFILE'])
/** The same errors at the end of a line of a program such as bwrap (strerror(3)). */
const texts =
  /: (?:No space left on device|Disk quota exceeded|Cannot allocate memory|Resource temporarily unavailable|Too many open files(?: in system)?)\.?$/m

/** A check did not run because of the host. It stays open, and `contest run` runs it again. */
export class HostLack extends PaddockError {
  constructor(message: string, cause: unknown) {
    super('CELL_FAILED', message, { hint: 'Make room for it (disk, memory, processes), and run the same command again', cause })
  }
}

/** Throws HostLack if the host lacks disk, memory, processes or file descriptors. `what`: the check and its submission. */
export function refuseIfLacking(error: unknown, what: string): void {
  if (error instanceof HostLack) throw error
  for (let each = error, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth += 1)
    if (codes.has(codeOf(each) ?? '') || texts.test(each.message))
      throw new HostLack(`The ${what} could not run: ${messageOf(error)}`, error)
}

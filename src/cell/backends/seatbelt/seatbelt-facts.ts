import type { BackendLook } from '../../backend-facts.ts'
import type { LimitName } from '../../plan/cell-limits.ts'
import { notRun } from './not-run.ts'
import { held, weaker } from './seatbelt-arguments.ts'

/** The properties of cells on macOS. NOT RUN ON MACOS: no such cell has been seen to work. */
export const seatbeltLook: BackendLook = {
  checks: [
    { name: 'seatbelt', ok: false, detail: notRun, hint: 'Use Paddock on Linux, or in a Linux virtual machine, where it matters' },
    ...weaker.map((detail) => ({ name: 'weaker on macOS', ok: false, detail })),
  ],
  limits: (Object.keys(held) as LimitName[]).map((limit) => ({ limit, ...held[limit] })),
  egress: [
    { modes: ['off', 'allowlist'], ok: true, detail: 'enforced by the gateway as a proxy' },
    { modes: ['public', 'open'], ok: false, detail: 'a rule of the sandbox cannot tell internal addresses from the internet' },
  ],
  terminal: false,
  publish: false,
}

import { type ErrorCode, PaddockError } from './errors.ts'

/** A change of this machine that `paddock doctor --fix` makes. */
export type Remedy =
  /** Installs the package of a program. */
  | { readonly kind: 'program'; readonly name: string }
  /** Sets a kernel setting, also for later starts of the machine. */
  | { readonly kind: 'sysctl'; readonly name: string; readonly value: string }
  /** Loads the AppArmor profile that Paddock's Debian package brings. */
  | { readonly kind: 'apparmor' }
  /** Loads a module of the kernel. */
  | { readonly kind: 'module'; readonly name: string }
  /** Lets every user open a device. */
  | { readonly kind: 'device'; readonly file: string }
  /** Lets the systemd sessions of users limit processor time. */
  | { readonly kind: 'delegate' }
  /** Gives a user a systemd session without a login. */
  | { readonly kind: 'linger'; readonly user: string }

/** An error that a change of this machine fixes. */
export class FixableError extends PaddockError {
  readonly remedies: readonly Remedy[]

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown; remedies: readonly Remedy[] }) {
    super(code, message, options)
    this.remedies = options.remedies
  }
}

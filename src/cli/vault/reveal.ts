import { PaddockError } from '../../base/errors.ts'

/** Throws unless standard output is a terminal. Values must not go to a pipe, a file or a program. */
export function refuseUnlessSeen(options: { readonly json?: boolean }): void {
  if (options.json === true)
    throw new PaddockError('BAD_INPUT', '--reveal cannot be used with --json: a value is only shown to people.', {
      hint: 'paddock vault export gives the values to another age key',
    })
  if (process.stdout.isTTY !== true)
    throw new PaddockError('NOT_ALLOWED', '--reveal: standard output is not a terminal, so no value is shown.', {
      hint: 'Give it to a program as vault:NAME, or export the vault to an age key: paddock vault export',
    })
}

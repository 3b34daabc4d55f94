import { PaddockError } from '../../../errors.ts'

/** What a rule is about; never a regular expression, so that no character of a path means anything but itself. */
export type Filter =
  | { readonly kind: 'subpath' | 'literal' | 'sysctl-name' | 'global-name'; readonly text: string }
  | { readonly kind: 'same-sandbox' }
  | { readonly kind: 'localhost-tcp'; readonly port: number }

/** One line of a profile. Of all rules that match, the last decides. */
export interface Rule {
  readonly action: 'allow' | 'deny'
  readonly operations: readonly string[]
  /** Any of them; empty: everything. */
  readonly filters: readonly Filter[]
}

/**
 * Text in the language of sandbox-exec(1), a Scheme: in a string, only the backslash and the double quote mean something else. NOT RUN ON MACOS.
 * @throws PaddockError `UNENFORCEABLE` for control characters and what is not Unicode: how these are read there has not been tried.
 */
export function sbplString(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text) || !text.isWellFormed())
    throw new PaddockError('UNENFORCEABLE', `${JSON.stringify(text)} cannot be written into a sandbox profile.`, {
      hint: 'Rename it, so that its path holds no control character and is valid UTF-8',
    })
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

/** A profile of version 1 that denies whatever no rule allows. */
export function profileText(rules: readonly Rule[]): string {
  return ['(version 1)', '(deny default)', ...rules.map(ruleText), ''].join('\n')
}

function ruleText({ action, operations, filters }: Rule): string {
  return `(${[action, ...operations, ...filters.map(filterText)].join(' ')})`
}

function filterText(filter: Filter): string {
  switch (filter.kind) {
    case 'same-sandbox':
      return '(target same-sandbox)'
    case 'localhost-tcp':
      return `(remote tcp ${sbplString(`localhost:${filter.port}`)})`
    default:
      return `(${filter.kind} ${sbplString(filter.text)})`
  }
}

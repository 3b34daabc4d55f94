import { PaddockError } from '../../../base/errors.ts'

/** The object of a rule. It is never a regular expression, so no character in a path has a special meaning. */
export type Filter =
  | { readonly kind: 'subpath' | 'literal' | 'sysctl-name' | 'global-name'; readonly text: string }
  | { readonly kind: 'same-sandbox' }
  | { readonly kind: 'localhost-tcp'; readonly port: number }

/** One line of a profile. The last matching rule decides. */
export interface Rule {
  readonly action: 'allow' | 'deny'
  readonly operations: readonly string[]
  /** The objects, one of which must match. Empty matches everything. */
  readonly filters: readonly Filter[]
}

/**
 * Returns text as a string for sandbox-exec(1), a Scheme dialect: only the backslash and the double quote are special. NOT RUN ON MACOS.
 * @throws PaddockError `UNENFORCEABLE` for control characters and invalid Unicode, because it is untested how they are read.
 */
export function sbplString(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text) || !text.isWellFormed())
    throw new PaddockError('UNENFORCEABLE', `${JSON.stringify(text)} cannot be written into a sandbox profile.`, {
      hint: 'Rename it, so that its path holds no control character and is valid UTF-8',
    })
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

/** Returns a profile of version 1 that denies everything that no rule allows. */
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

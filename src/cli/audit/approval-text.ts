import { printable } from '../../base/text.ts'
import type { Asked } from '../../egress/approvals/asked.ts'

/**
 * Returns the question in one line. The cell may have chosen all of the text, so it is made printable. The query may contain secrets, so it
 * is left out of text that may be written to a file.
 */
export function wishText({ host, port, request }: Asked, options: { readonly query: boolean } = { query: true }): string {
  if (request === null) return printable(`connect to ${host}:${port}`)
  const [method = '', ...others] = request.method.split('+')
  const also = others.length === 0 ? '' : ` (which servers may take for ${others.join(', ')})`
  const query = request.queryShown === undefined ? '' : options.query ? request.queryShown : '?…'
  return printable(`${method}${also} ${host}:${port}${request.path}${query}`)
}

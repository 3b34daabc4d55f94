import type { Asked } from '../../egress/approvals/asked.ts'
import { printable } from '../../text.ts'

/**
 * What is asked, in one line. All of it may have been chosen inside the cell, so nothing of it moves the cursor. The query may hold
 * secrets: it is left out of what may end up in a file.
 */
export function wishText({ host, port, request }: Asked, options: { readonly query: boolean } = { query: true }): string {
  if (request === null) return printable(`connect to ${host}:${port}`)
  const [method = '', ...others] = request.method.split('+')
  const also = others.length === 0 ? '' : ` (which servers may take for ${others.join(', ')})`
  const query = request.queryShown === undefined ? '' : options.query ? request.queryShown : '?…'
  return printable(`${method}${also} ${host}:${port}${request.path}${query}`)
}

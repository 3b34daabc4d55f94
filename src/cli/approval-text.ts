import { printable } from './printable.ts'

/** What is asked, in one line. All of it may have been chosen inside the cell, so nothing of it moves the cursor. */
export function wishText(asked: {
  readonly host: string
  readonly port: number
  readonly request: { readonly method: string; readonly path: string } | null
}): string {
  const { host, port, request } = asked
  return printable(request === null ? `connect to ${host}:${port}` : `${request.method} ${host}:${port}${request.path}`)
}

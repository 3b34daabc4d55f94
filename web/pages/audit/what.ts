import type { AuditLine } from './use-lines.ts'

/** Returns a short summary of a line. */
export function what({ kind, data }: AuditLine): string {
  const text = (name: string): string => {
    const value = data[name]
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  }
  const place = data['host'] === undefined ? '' : `${text('host')}${typeof data['port'] === 'number' ? `:${text('port')}` : ''}`
  if (kind === 'cell.launch') return `${text('name')}, ${text('posture')} by ${text('backend')}, egress ${text('egress')}`
  if (kind === 'cell.end') return text('ending')
  if (kind === 'egress.deny') return `${place}, ${text('reason')}`
  if (kind === 'egress.allow') return `${place}, ${text('source')}`
  if (kind === 'egress.dns') return `${text('name')}, ${text('decision')}`
  if (kind === 'approval.answered') return `${place}, ${data['allowed'] === true ? 'allowed' : 'denied'} (${text('scope')}, ${text('by')})`
  if (kind.startsWith('fleet.') && data['route'] !== undefined) return `${text('method')} ${text('route')}`
  if (place !== '') return place
  return Object.keys(data)
    .map((name) => `${name} ${text(name)}`)
    .join(', ')
}

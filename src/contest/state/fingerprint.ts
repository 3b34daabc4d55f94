import { hash } from 'node:crypto'
import type { Contest } from '../config/brief.ts'

/** Returns a SHA-256 over the parsed contest.yaml, BRIEF.md, and what participants bring. */
export function fingerprintOf({ config, brief, brought }: Pick<Contest, 'config' | 'brief' | 'brought'>): string {
  const bringing = Object.keys(brought).length === 0 ? '' : JSON.stringify(brought)
  return hash('sha256', JSON.stringify(config) + brief + bringing)
}

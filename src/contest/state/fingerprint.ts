import { hash } from 'node:crypto'
import type { Contest } from '../config/brief.ts'

/** Returns a SHA-256 over the parsed contest.yaml and BRIEF.md. */
export function fingerprintOf({ config, brief }: Pick<Contest, 'config' | 'brief'>): string {
  return hash('sha256', JSON.stringify(config) + brief)
}

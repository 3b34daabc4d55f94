import type { Role } from '../who.ts'

export interface Place {
  readonly name: string
  readonly title: string
  readonly icon: string
  /** The key that is pressed after `g`. */
  readonly key?: string
  /** The role that is required to see the place. */
  readonly role?: Role
}

export const work: readonly Place[] = [
  { name: 'inbox', title: 'Inbox', icon: 'inbox', key: 'i' },
  { name: 'fleet', title: 'Fleet', icon: 'fleet', key: 'f' },
  { name: 'jobs', title: 'Jobs', icon: 'jobs', key: 'j' },
  { name: 'contests', title: 'Contests', icon: 'contest', key: 'c' },
  { name: 'egress', title: 'Egress', icon: 'egress', key: 'e' },
]
export const administration: readonly Place[] = [
  { name: 'credentials', title: 'Credentials', icon: 'key' },
  { name: 'audit', title: 'Audit', icon: 'audit', role: 'owner' },
  { name: 'guarantees', title: 'Guarantees', icon: 'shield' },
  { name: 'usage', title: 'Usage', icon: 'usage', key: 'u' },
  { name: 'settings', title: 'Settings', icon: 'gear' },
]

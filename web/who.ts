import { dataOf, useData } from './data.ts'
import { api } from './session.ts'

const roles = ['viewer', 'operator', 'owner'] as const
export type Role = (typeof roles)[number]

export function useWhoLoaded() {
  return useData(['session'], async () => dataOf(await api.GET('/api/v1/session')))
}

/** Returns who is signed in; null if it is not known yet. */
export function useWho() {
  return useWhoLoaded().data
}

/** Returns whether the user has at least this role; actions that require a higher one are not offered. */
export function useMay(role: Role): boolean {
  const own = useWho()?.role
  return own !== undefined && roles.indexOf(own as Role) >= roles.indexOf(role)
}

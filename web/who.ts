import { dataOf, useData } from './data.ts'
import { api } from './session.ts'

const roles = ['viewer', 'operator', 'owner'] as const
export type Role = (typeof roles)[number]

export function useWhoLoaded() {
  return useData(['session'], async () => dataOf(await api.GET('/api/v1/session')))
}

/** Who is signed in; null: not known yet. */
export function useWho() {
  return useWhoLoaded().data
}

/** Whether who is signed in may do what this role may: what one may not do is not offered. */
export function useMay(role: Role): boolean {
  const own = useWho()?.role
  return own !== undefined && roles.indexOf(own as Role) >= roles.indexOf(role)
}

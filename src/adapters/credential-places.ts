import { adapters } from './find-adapter.ts'

/** Returns the places where the agents that Paddock knows store credentials: variables by name, files by absolute path. */
export function credentialPlaces(userHome: string): { readonly names: readonly string[]; readonly files: readonly string[] } {
  const sources = adapters.flatMap((each) => each.credentials(userHome))
  return {
    names: sources.flatMap((each) => (each.kind === 'env' ? [each.name] : [])),
    files: sources.flatMap((each) => (each.kind === 'snapshot' ? [each.hostPath] : [])),
  }
}

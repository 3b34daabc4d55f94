/** Returns a base URL without a final slash and without the API's version, whichever way the user wrote it. */
export function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/v1(beta)?$/, '')
}

/** The same with the API's version. */
export function versioned(baseUrl: string, version: 'v1' | 'v1beta'): string {
  return `${rootOf(baseUrl)}/${version}`
}

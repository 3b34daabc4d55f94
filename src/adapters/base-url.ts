/** Returns a base URL without a final slash and without the API's version, in whichever form the user wrote it. */
export function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/v1(beta)?$/, '')
}

/** Returns the base URL with the API's version. */
export function versioned(baseUrl: string, version: 'v1' | 'v1beta'): string {
  return `${rootOf(baseUrl)}/${version}`
}

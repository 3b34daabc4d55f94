/** A base URL without a slash at its end and without the API's version, whichever way the user wrote it. */
export function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/v1(beta)?$/, '')
}

/** The same with the version that an API has in its paths. */
export function versioned(baseUrl: string, version: 'v1' | 'v1beta'): string {
  return `${rootOf(baseUrl)}/${version}`
}

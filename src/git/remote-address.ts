/** Host and port of a URL. A host that starts with a dash would be an option of ssh(1). */
const host = String.raw`(?:[a-z0-9_][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::\d+)?`
const user = '(?:[a-z0-9_][a-z0-9._-]*@)?'
const printable = '[^\\s\\x00-\\x1f\\x7f]*'
const urls = [
  new RegExp(`^https?://${user}${host}(?:/${printable})?$`, 'i'),
  new RegExp(`^ssh://${user}${host}/${printable}$`, 'i'),
  new RegExp(`^${user}[a-z0-9_][a-z0-9._-]*:(?:[^:\\s/-]|/(?!/))${printable}$`, 'i'),
]

/** Returns true for the address of a repository on a server that runs no program on this machine except git's own ones and ssh(1). */
export function isRemoteAddress(url: string): boolean {
  return !url.includes('::') && urls.some((each) => each.test(url))
}

/** Returns true for an address from which git fetches with its own programs or ssh(1): on a server, or a path. */
export function isFetchAddress(url: string): boolean {
  if (/[\x00-\x1f\x7f\ufffd]/.test(url) || url.includes('::')) return false
  return isRemoteAddress(url) || /^(?:(?:file:\/\/)?\/|\.\.?\/|git:\/\/[a-z0-9])/i.test(url)
}

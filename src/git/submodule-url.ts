/**
 * Returns the address of a submodule as git resolves it (git-submodule(1), add): one that starts with `./` or `../` is relative to the
 * address of the repository's remote. Null if there are more `..` than directories.
 */
export function submoduleUrl(url: string, remote: string): string | null {
  if (!/^\.\.?\//.test(url)) return url
  let base = remote.replace(/\/$/, '')
  // A local path that is not absolute stays relative.
  const isRelative = !base.startsWith('/') && !/^[^/]*:/.test(base)
  if (isRelative && !/^\.\.?\//.test(base)) base = `./${base}`
  let rest = url
  let separator = '/'
  for (let up = /^\.\.?\//.exec(rest)?.[0]; up !== undefined; up = /^\.\.?\//.exec(rest)?.[0]) {
    rest = rest.slice(up.length)
    if (up === './') continue
    const at = Math.max(base.lastIndexOf('/'), base.includes('/') ? -1 : base.lastIndexOf(':'))
    if (at < 0 && (isRelative || base === '.')) return null
    if (at >= 0 && base[at] === ':') separator = ':'
    base = at < 0 ? '.' : base.slice(0, at)
  }
  return `${base}${separator}${rest}`.replace(/\/$/, '').replace(/^\.\//, '')
}

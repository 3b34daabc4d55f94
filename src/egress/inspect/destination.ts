import { type Fields, withoutSeparators } from '../requests/fields.ts'
import { type CanonicalTarget, canonicalTarget } from '../requests/path.ts'

/**
 * Returns the targets in Destination fields (RFC 4918, section 10.3), which are the paths that WebDAV's MOVE and COPY write, for any host.
 * Null if one of the targets is ambiguous.
 */
export function destinationsOf(headers: Fields): readonly CanonicalTarget[] | null {
  const targets: CanonicalTarget[] = []
  for (const [name, value] of headers) {
    if (withoutSeparators(name) !== 'destination') continue
    const target = canonicalTarget(value.trim().replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, ''))
    if (target === null) return null
    targets.push(target)
  }
  return targets
}

/**
 * Returns all paths of one resource on a forge, including those with a format after the last segment, `/variables.json` (Grape and Rails,
 * `(.:format)`). A path that ends in a wildcard already includes it.
 */
export const spelt = (path: string): readonly string[] =>
  path === '/**' || (path.endsWith('*') && !path.endsWith('/**')) ? [path] : [path, `${path.replace(/\/\*\*$/, '')}.*`]

/**
 * The paths by which forges know one resource: with a format behind the last word too, `/variables.json` (Grape and Rails, `(.:format)`).
 * A path that ends in a wildcard has it already.
 */
export const spelt = (path: string): readonly string[] =>
  path === '/**' || (path.endsWith('*') && !path.endsWith('/**')) ? [path] : [path, `${path.replace(/\/\*\*$/, '')}.*`]

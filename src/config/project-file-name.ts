/** The name of a project's own configuration, at its root. */
export const projectFileName = '.paddock.yaml'

/** The name of a project's own configuration file, at the project's root. */
export const projectFileName = '.paddock.yaml'

import path from 'node:path'

/** Returns PATH without directories inside a project, where an agent may have put programs. */
export function searchPathOutside(project: string, searchPath: string): string {
  return searchPath
    .split(':')
    .filter((each) => path.isAbsolute(each) && each !== project && !each.startsWith(`${project}/`))
    .join(':')
}

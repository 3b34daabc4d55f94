import type { InsideScript } from './inside.ts'

/** Names that programs obey in any directory. `layTrap` creates them in several directories. */
export const trapNames = ['.git', '.gitattributes', '.envrc', '.vscode', '.mcp.json', '.claude', 'CLAUDE.md']

/** Paths of repositories that have another name than `.git`, or are in a directory that is often skipped. */
export const bareRepositories = ['docs', 'node_modules/package/bare', '.git.quarantined']

/** Fills the working directory with files that the host, or a judge, could obey. */
export const layTrap: InsideScript<{ readonly bare: readonly string[] }, null> = ({ fs }, { bare }) => {
  const repository = (at: string): void => {
    for (const each of ['objects', 'refs/heads']) fs.mkdirSync(`${at}/${each}`, { recursive: true })
    // Directories without files would not be sealed.
    for (const each of ['objects/file', 'refs/file']) fs.writeFileSync(`${at}/${each}`, '')
    fs.writeFileSync(`${at}/HEAD`, 'ref: refs/heads/main\n')
    fs.writeFileSync(`${at}/config`, '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = touch /tmp/obeyed; true\n')
  }
  for (const at of ['.', 'sub/deep', 'node_modules/package']) {
    repository(`${at}/.git`)
    for (const each of ['.vscode', '.claude']) fs.mkdirSync(`${at}/${each}`, { recursive: true })
    fs.writeFileSync(`${at}/.vscode/tasks.json`, '{}')
    fs.writeFileSync(`${at}/.claude/settings.json`, '{}')
    for (const each of ['.gitattributes', '.envrc', '.mcp.json', 'CLAUDE.md']) fs.writeFileSync(`${at}/${each}`, '{}')
  }
  for (const each of bare) repository(each)
  fs.writeFileSync('answer.txt', 'done')
  return null
}

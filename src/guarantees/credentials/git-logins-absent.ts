import { readFileSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'

export const gitLoginsAbsent: Guarantee = {
  id: 'git-logins-absent',
  chapter: 'credentials',
  claim: 'The logins in the git configuration of a project, in addresses, headers and settings, are not in its cell, and stay on the host.',
  mechanism:
    'Git in the cell has a copy of the configuration from which Paddock takes the logins. Comparing it at the end changes none of them.',
  kind: 'policy',
  why: 'A remote that was added with a token, or the checkout of a CI job, has it in `.git/config`. A login in another form, or in a setting that nobody knows, stays.',
  fails: [
    'A repository is shown with `--ro`. Paddock then names the login.',
    'On macOS, the cell reads the configuration itself.',
    'A file that the configuration includes is in the project.',
  ],
  probe: async (bench) => {
    const secret = `paddock${Date.now()}secret`
    const header = Buffer.from(`x-access-token:${secret}`).toString('base64')
    const config = `[core]
\trepositoryformatversion = 0
[remote "origin"]
\turl = https://me:${secret}@one.example/r
\tpushurl = "https://${secret}:x-oauth-basic@one.example/r"
[url "https://oauth2:${secret}@two.example/"]
\tinsteadOf = https://two.example/
[http "https://three.example/"]
\textraheader = AUTHORIZATION: basic ${header}
[sendemail]
\tsmtpPass = ${secret}
`
    const files = {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config': config,
      '.git/objects/info/packs': '',
      '.git/refs/heads/.keep': '',
    }
    const project = await bench.project({ ...files, 'README.md': 'x' })
    const { result } = await bench.inside(
      ({ fs }) => {
        const seen: string[] = []
        const walk = (directory: string): void => {
          for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
            const file = `${directory}/${entry.name}`
            if (entry.isDirectory()) walk(file)
            else if (!entry.isSymbolicLink()) seen.push(fs.readFileSync(file, 'utf8'))
          }
        }
        walk('.git')
        return seen.join('\n')
      },
      null,
      { project },
    )
    if (result.includes(secret) || result.includes(header)) return broken('a login of the git configuration is in the cell')
    if (!result.includes('https://one.example/r')) return broken('the cell has no configuration with the address of the remote')
    if (readFileSync(path.join(project, '.git/config'), 'utf8') !== config) return broken('the configuration on the host has changed')
    return held('five logins of a configuration: none is in .git of the cell, which has the addresses; the host’s file is unchanged')
  },
}

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { holdCell } from '../probe/held-cell.ts'

const config =
  '[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = https://one.example/r\n[branch "main"]\n\tremote = origin\n'
/** What an agent could want git to obey, and what it may change: the branch `made` follows one of the user's remotes. */
const made = `[core]
\tfsmonitor = evil
\thooksPath = evil
[include]
\tpath = evil
[alias]
\tst = !evil
[filter "x"]
\tclean = evil
[url "https://evil.example/"]
\tinsteadOf = https://one.example/
[remote "origin"]
\turl = https://evil.example/r
[remote "evil"]
\turl = https://evil.example/r
\tfetch = +refs/heads/*:refs/heads/*
[branch "main"]
\tremote = evil
[branch "made"]
\tremote = origin
\tmerge = refs/heads/made
`
const expected = `${config}[branch "made"]\n\tremote = origin\n\tmerge = refs/heads/made\n`

export const configSettings: Guarantee = {
  id: 'later-config-settings',
  chapter: 'later',
  claim: 'Of the settings that a cell makes in a repository, only those that name no program, file or address get into .git/config.',
  mechanism:
    'Git in the cell changes a copy. At the end, the host process compares the copy with its text at the start, and writes with git only settings of an allowlist: the remote and branch that a branch without settings follows, the removal of settings of deleted branches and of submodules, and what the format of the repository needs. Others are named.',
  kind: 'policy',
  why: 'Git runs programs that its configuration names, and sends commits to addresses that it names.',
  fails: ['On macOS, the configuration is read-only in the cell, so git cannot change it.'],
  probe: async (bench) => {
    const project = await bench.project({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config': config,
      '.git/objects/info/packs': '',
      '.git/refs/heads/.keep': '',
    })
    const cell = await holdCell(
      bench,
      bench.command(
        ({ fs }, { text }) => {
          fs.appendFileSync('.git/config', text)
          process.stdout.write('ready\n')
          process.stdin.resume().once('end', () => process.exit(0))
        },
        { text: made },
      ),
      { project },
    )
    await cell.end()
    const text = readFileSync(path.join(project, '.git/config'), 'utf8')
    if (text.includes('evil')) return broken('the configuration names a program or another address of the cell')
    if (text !== expected) return broken(`the configuration is not the expected one: ${JSON.stringify(text.slice(0, 500))}`)
    return held('of 12 settings that the cell made, the two of a new branch were written')
  },
}

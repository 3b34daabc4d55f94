import type { Command } from 'commander'

/** The commands, grouped by purpose, in the order in which help shows them. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'One agent on your project:': ['run', 'review', 'apply', 'discard', 'worktree', 'sign', 'shim', 'shell'],
  'Several agents, judged blind:': ['contest', 'suite'],
  'A fleet that keeps working:': [
    'serve',
    'open',
    'agent',
    'job',
    'inbox',
    'answer',
    'session',
    'schedule',
    'lease',
    'memory',
    'usage',
    'fleet',
  ],
  'Programs and people around a fleet:': ['token', 'hook', 'webhook', 'discord', 'mcp', 'acp'],
  'Credentials:': ['login', 'credentials', 'vault'],
  'This machine:': [
    'init',
    'ps',
    'logs',
    'stop',
    'reset',
    'doctor',
    'verify',
    'posture',
    'remote',
    'redteam',
    'approvals',
    'audit',
    'attest',
    'config',
    'trust',
    'untrust',
    'clean',
    'completion',
  ],
}

/** Groups the commands of a program for help. Throws if a command is in no group. */
export function groupCommands(program: Command): void {
  program.addHelpCommand(
    program.createCommand('help').argument('[command]').summary('display help for a command').helpGroup('This machine:'),
  )
  const order = Object.values(groups).flat()
  for (const command of program.commands) {
    const group = Object.keys(groups).find((each) => groups[each]?.includes(command.name()))
    if (group !== undefined) command.helpGroup(group)
    else if (program.createHelp().visibleCommands(program).includes(command)) throw new Error(`${command.name()} is in no group of help`)
  }
  ;(program.commands as Command[]).sort((a, b) => order.indexOf(a.name()) - order.indexOf(b.name()))
}

/** The output of `paddock` without a command. */
export const welcome = `Paddock runs coding agents in cells, where they cannot hurt you. Three jobs:

  One agent on the project in front of you
    paddock run claude                      work in a terminal; nothing else of yours is reachable
    paddock run --copy --prompt TEXT codex  work on a copy; then: paddock review, paddock apply

  Several agents, one brief, blind judges
    paddock contest new my-contest          then edit BRIEF.md and contest.yaml
    paddock contest run my-contest

  A fleet that keeps working, with an API and a web page
    paddock serve

Your settings: paddock init    This machine: paddock doctor    All commands: paddock --help
`

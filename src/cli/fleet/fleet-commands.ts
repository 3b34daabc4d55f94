import type { Command } from 'commander'
import { answerScopes } from '../../egress/approvals/answer-scopes.ts'
import { choice } from '../choice.ts'
import { collect } from '../repeatable.ts'
import { answering } from '../terminal/command-answer.ts'
import { addLeaseCommands } from './access/lease-commands.ts'
import { addTokenCommands } from './access/token-commands.ts'
import { addAgentCommands } from './agents/agent-commands.ts'
import { addDiscordCommands } from './automation/discord-commands.ts'
import { addHookCommands } from './automation/hook-commands.ts'
import { addScheduleCommands } from './automation/schedule-commands.ts'
import { addWebhookCommands } from './automation/webhook-commands.ts'
import { dataOption } from './data-option.ts'
import { addJobCommands } from './jobs/job-commands.ts'
import { serverCommand } from './server-command.ts'
import { addShellCommands } from './terminals/shell-commands.ts'

/** Adds `paddock serve` and the commands that talk to a server. */
export function addFleetCommands(program: Command): void {
  program
    .command('serve')
    .summary('run a fleet of agents, with an API and a web page')
    .option(...dataOption)
    .option('--listen <address:port>', 'listen on this address; port 0 picks any free port', '127.0.0.1:7878')
    .option('--public <name>', 'accept requests to NAME or NAME:PORT (repeatable)', collect, [])
    .option('--tls-cert <file>', 'use this certificate chain (PEM)')
    .option('--tls-key <file>', 'use this key of the certificate (PEM)')
    .option('--tls-proxy', 'expect a proxy that terminates TLS for the public names')
    .option('--ready-file <file>', 'write {"url","socket","pid"} to this file once ready')
    .addOption(choice('--on-stop <what>', 'on shutdown, leave, wait for or cancel running jobs', ['leave', 'wait', 'cancel'], 'leave'))
    .option('--max-prompt <size>', 'refuse larger prompts', '256KiB')
    .addOption(choice('--log <level>', 'log at this level: error, warn, info or debug', ['error', 'warn', 'info', 'debug'], 'warn'))
    .action(async (options) => {
      process.exitCode = await (await import('./server/serve-command.ts')).serveCommand(options)
    })

  serverCommand(program, 'open', 'print a link that signs a browser in to the page of the server')
    .addOption(choice('--role <role>', 'give these rights: owner, operator or viewer', ['owner', 'operator', 'viewer'], 'owner'))
    .option('--name <name>', 'show this name for jobs from the browser, and in the audit log')
    .option('--qr', 'also show the link as a QR code for a phone')
    .action(answering<'open'>(async () => (await import('./open-page.ts')).openPage))
  serverCommand(program, 'inbox', 'list everything that needs you: questions, logins, budgets').action(
    answering<'inbox'>(async () => (await import('./inbox-command.ts')).showInbox),
  )
  serverCommand(program, 'answer', 'answer a question from the inbox')
    .argument('<question>', 'its id')
    .argument('<answer>', 'allow or deny, or the answer to a question')
    .addOption(choice('--for <scope>', 'answer once, for this cell, or always for every cell', answerScopes, 'once'))
    .action(answering<'answer'>(async () => (await import('./inbox-command.ts')).answerQuestion))
  addTokenCommands(program)
  serverCommand(program, 'usage', 'show what jobs of the fleet used and cost')
    .addOption(choice('--by <group>', 'group by agent, kind, model or day', ['agent', 'kind', 'model', 'day'], 'agent'))
    .option('--from <day>', 'start on this day (UTC), such as 2026-01-31 (default: 30 days before)')
    .option('--to <day>', 'end on this day (default: today)')
    .action(answering<'usage'>(async () => (await import('./usage-command.ts')).showUsage))
  const fleet = program.command('fleet').summary('back up, restore and resume a whole fleet')
  serverCommand(fleet, 'backup', 'back up agents, jobs, homes and workspaces; a server may be running')
    .argument('<file>', 'a new file')
    .action(answering<'fleet backup'>(async () => (await import('./backup-command.ts')).backupFleet, 'packing'))
  serverCommand(fleet, 'restore', 'restore a backup into a directory that is empty or missing')
    .argument('<file>', 'a file from paddock fleet backup')
    .option('--paused', 'start no queued jobs either, until paddock fleet resume')
    .action(answering<'fleet restore'>(async () => (await import('./backup-command.ts')).restoreFleet, 'unpacking'))
  serverCommand(fleet, 'resume', 'end the pause of a restored fleet').action(
    answering<'fleet resume'>(async () => (await import('./resume-command.ts')).resumeFleet),
  )
  addAgentCommands(program)
  addShellCommands(program)
  addJobCommands(program)
  addScheduleCommands(program)
  addHookCommands(program)
  addWebhookCommands(program)
  addDiscordCommands(program)
  addLeaseCommands(program)
}

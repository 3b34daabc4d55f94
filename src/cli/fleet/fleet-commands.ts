import type { Command } from 'commander'
import { collect } from '../repeatable.ts'
import { answering } from '../terminal/answer.ts'
import { addAgentCommands } from './agent-commands.ts'
import { dataOption } from './data-option.ts'
import { addDiscordCommands } from './discord-commands.ts'
import { addHookCommands } from './hook-commands.ts'
import { addJobCommands } from './job-commands.ts'
import { addLeaseCommands } from './lease-commands.ts'
import { addScheduleCommands } from './schedule-commands.ts'
import { addShellCommands } from './shell-commands.ts'
import { addWebhookCommands } from './webhook-commands.ts'

/** `paddock serve` and the commands that talk to a server. */
export function addFleetCommands(program: Command): void {
  program
    .command('serve')
    .summary('keep a fleet of agents, with an API')
    .option(...dataOption)
    .option('--listen <address:port>', 'where to listen; port 0 is any free one', '127.0.0.1:7878')
    .option('--public <name>', 'NAME or NAME:PORT by which others reach this server', collect, [])
    .option('--tls-cert <file>', 'certificate chain (PEM)')
    .option('--tls-key <file>', 'key of the certificate (PEM)')
    .option('--tls-proxy', 'a proxy in front speaks TLS for the public names')
    .option('--trust-proxy <range>', 'address of a proxy whose X-Forwarded-For counts', collect, [])
    .option('--ready-file <file>', 'write {"url","socket","pid"} there once ready')
    .option('--on-stop <what>', 'running jobs at the end: leave, wait or cancel', 'leave')
    .option('--max-prompt <size>', 'largest prompt', '256KiB')
    .option('--log <level>', 'error, warn, info or debug', 'warn')
    .action(async (options) => {
      process.exitCode = await (await import('./serve.ts')).serveCommand(options)
    })

  program
    .command('open')
    .summary('print a link that logs a browser in to the page of the server')
    .option('--role <role>', 'owner, operator, viewer or borrower', 'owner')
    .option('--qr', 'show the link as a QR code for a phone, too')
    .option(...dataOption)
    .option('--json', 'as JSON')
    .action(async (options) => {
      process.exitCode = await (await import('./open.ts')).openPage(options)
    })

  program
    .command('inbox')
    .summary('everything that waits for you: questions of agents and cells, logins, budgets')
    .option(...dataOption)
    .option('--json', 'as JSON')
    .action(async (options) => {
      process.exitCode = await (await import('./inbox.ts')).showInbox(options)
    })
  program
    .command('answer')
    .summary('answer a question of the inbox')
    .argument('<question>', 'its id')
    .argument('<answer>', 'allow or deny; to a question, its answer')
    .option('--for <scope>', 'once, cell (as long as it runs) or always', 'once')
    .option(...dataOption)
    .option('--json', 'as JSON')
    .action(async (question: string, answer: string, options) => {
      process.exitCode = await (await import('./inbox.ts')).answerQuestion(question, answer, options)
    })

  const token = program.command('token').summary('rights to use the API')
  token
    .command('create')
    .summary('make a token; it is shown once')
    .argument('<name>', 'what it is called')
    .requiredOption('--role <role>', 'owner, operator, viewer or borrower')
    .option('--expires <duration>', 'valid for so long, for example 30d; without it until revoked')
    .option(...dataOption)
    .option('--json', 'as JSON')
    .action(answering<'token create'>(async () => (await import('./token.ts')).createToken))
  token
    .command('list')
    .summary('the tokens, without their secrets')
    .option(...dataOption)
    .option('--json', 'as JSON')
    .action(answering<'token list'>(async () => (await import('./token.ts')).listTokens))
  token
    .command('revoke')
    .summary('end a token and what is open with it')
    .argument('<name>', 'its name or id')
    .option(...dataOption)
    .option('--json', 'as JSON')
    .action(answering<'token revoke'>(async () => (await import('./token.ts')).revokeToken))
  program
    .command('usage')
    .summary('what jobs of the fleet used and cost')
    .option('--by <group>', 'agent, model or day', 'agent')
    .option('--from <day>', 'the first day (UTC), 2026-01-31; 30 days before the last unless told')
    .option('--to <day>', 'the last day; today unless told')
    .option(...dataOption)
    .option('--json', 'as JSON')
    .action(async (options) => {
      process.exitCode = await (await import('./usage.ts')).showUsage(options)
    })
  const fleet = program.command('fleet').summary('all of a fleet: its backup')
  fleet
    .command('backup')
    .summary('write agents, jobs, homes and workspaces into an archive; a server may run')
    .argument('<file>', 'a new file')
    .option(...dataOption)
    .option('--json', 'as JSON')
    .action(async (file: string, options) => {
      process.exitCode = await (await import('./backup.ts')).backupFleet(file, options)
    })
  fleet
    .command('restore')
    .summary('put a backup into a directory that is empty or not there')
    .argument('<file>', 'what paddock fleet backup wrote')
    .option(...dataOption)
    .option('--json', 'as JSON')
    .action(async (file: string, options) => {
      process.exitCode = await (await import('./backup.ts')).restoreFleet(file, options)
    })
  addAgentCommands(program)
  addShellCommands(program)
  addJobCommands(program)
  addScheduleCommands(program)
  addHookCommands(program)
  addWebhookCommands(program)
  addDiscordCommands(program)
  addLeaseCommands(program)
}

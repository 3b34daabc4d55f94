import type { Command } from 'commander'
import { collect } from '../../repeatable.ts'
import { answering } from '../../terminal/command-answer.ts'
import { serverCommand } from '../server-command.ts'

/** Adds `paddock webhook`. */
export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').summary('send events of the fleet to other programs')
  const add = (name: string, summary: string): Command => serverCommand(webhook, name, summary)
  const named = (name: string, summary: string): Command => add(name, summary).argument('<name>', 'its name or id')
  add('add', 'send events to a URL from now on; the secret is shown once')
    .argument('<name>', 'the name of the webhook')
    .argument('<url>', 'where to send them, by https or http; not an internal address')
    .option('--event <kind>', 'send events of this kind, for example job.ended (repeatable)', collect, [])
    .option('--secret-file <file>', 'sign with the secret in this file; - is standard input')
    .action(answering<'webhook add'>(async () => (await import('./webhook.ts')).addWebhook))
  add('list', 'list all webhooks with the outcome of their newest event').action(
    answering<'webhook list'>(async () => (await import('./webhook.ts')).listWebhooks),
  )
  named('show', 'show one webhook and the outcomes of its events').action(
    answering<'webhook show'>(async () => (await import('./webhook.ts')).showWebhook),
  )
  named('pause', 'send no more events until it is resumed').action(
    answering<'webhook pause'>(async () => (await import('./webhook.ts')).pauseWebhook),
  )
  named('resume', 'send events again, from now on').action(
    answering<'webhook resume'>(async () => (await import('./webhook.ts')).resumeWebhook),
  )
  named('test', 'send a test event now; exits 1 if it is refused').action(
    answering<'webhook test'>(async () => (await import('./webhook.ts')).testWebhook),
  )
  named('remove', 'remove a webhook').action(answering<'webhook remove'>(async () => (await import('./webhook.ts')).removeWebhook))
}

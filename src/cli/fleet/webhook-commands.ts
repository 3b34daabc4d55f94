import type { Command } from 'commander'
import { collect } from '../repeatable.ts'
import { dataOption } from './data-option.ts'

/** `paddock webhook …` */
export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').summary('addresses to which the fleet sends what happens')
  const add = (name: string, summary: string): Command =>
    webhook
      .command(name)
      .summary(summary)
      .option(...dataOption)
      .option('--json', 'as JSON')
  add('add', 'send events to a URL from now on; the secret is shown once')
    .argument('<name>', 'what it is called')
    .argument('<url>', 'where to, https or http; at no internal address')
    .option('--event <kind>', 'an event to send, for example job.ended (repeatable)', collect, [])
    .option('--secret-file <file>', 'sign with the secret in this file, for example that of a hook; -: from standard input')
    .action(async (name: string, url: string, options) => {
      process.exitCode = await (await import('./webhook.ts')).addWebhook(name, url, options)
    })
  add('list', 'all webhooks, with what came of the newest event').action(async (options) => {
    process.exitCode = await (await import('./webhook.ts')).listWebhooks(options)
  })
  for (const [act, summary, handler] of [
    ['show', 'one webhook, and what came of its events', 'showWebhook'],
    ['pause', 'send no more events until it is resumed', 'pauseWebhook'],
    ['resume', 'send events again, from now on', 'resumeWebhook'],
    ['test', 'send a test event now; exits 1 if it is not taken', 'testWebhook'],
    ['remove', 'remove a webhook', 'removeWebhook'],
  ] as const)
    add(act, summary)
      .argument('<name>', 'its name or id')
      .action(async (name: string, options) => {
        process.exitCode = await (await import('./webhook.ts'))[handler](name, options)
      })
}

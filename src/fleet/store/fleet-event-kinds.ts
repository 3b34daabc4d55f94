/** The kinds of events of a fleet. */
export const eventKinds = [
  ...['fleet.paused', 'fleet.resumed'],
  ...[
    'agent.created',
    'agent.edited',
    'agent.approved',
    'agent.refused',
    'agent.started',
    'agent.stopped',
    'agent.archived',
    'agent.deleted',
  ],
  ...['job.queued', 'job.changed', 'job.started', 'job.running', 'job.waiting', 'job.budget', 'job.cancelling', 'job.ended', 'job.removed'],
  ...['schedule.created', 'schedule.edited', 'schedule.paused', 'schedule.resumed', 'schedule.due', 'schedule.skipped', 'schedule.deleted'],
  ...['hook.created', 'hook.deleted'],
  ...['webhook.created', 'webhook.paused', 'webhook.resumed', 'webhook.deleted'],
  ...['discord.connected', 'discord.disconnected', 'discord.added', 'discord.removed'],
  ...['lease.created', 'lease.revoked', 'lease.ended', 'topic.refused'],
  ...['session.opened', 'session.ended'],
  ...['token.created', 'token.revoked'],
] as const
export type EventKind = (typeof eventKinds)[number]

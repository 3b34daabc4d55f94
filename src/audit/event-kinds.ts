/** The kinds of lines that Paddock writes to its log. */
const auditKinds: readonly string[] = [
  ...['cell.launch', 'cell.home', 'cell.own-copies', 'cell.limit', 'cell.unprotected', 'cell.remounted', 'cell.end', 'cell.redteam'],
  ...['egress.dns', 'egress.allow', 'egress.deny', 'egress.end', 'egress.request', 'egress.unwritten', 'egress.total'],
  ...['approval.asked', 'approval.answered'],
  ...['credential.use', 'credential.astray', 'credential.login', 'credential.refresh'],
  'contest',
  ...[
    'fleet.agent',
    'fleet.job',
    'fleet.token',
    'fleet.contest',
    'fleet.approval',
    'fleet.vault',
    'fleet.guarantee',
    'fleet.schedule',
    'fleet.hook',
    'fleet.inbox',
    'fleet.tool',
    'fleet.webhook',
    'fleet.lease',
    'fleet.topic',
    'fleet.discord',
  ],
  ...['discord.job', 'discord.stop', 'discord.answer', 'discord.refused'],
  ...['copy.applied', 'copy.discarded'],
  ...['setup.made', 'setup.placed'],
  ...['trust.given', 'trust.taken'],
  ...['vault.made', 'vault.set', 'vault.removed', 'vault.revealed'],
  ...['vault.exported', 'vault.rekeyed', 'vault.unlocked', 'vault.locked'],
  ...['audit.repaired', 'audit.lost', 'audit.rotated', 'audit.removed'],
]

/** The values of `--kind`: a kind, or its first part for all kinds that start with it. */
export const kindFilters: readonly string[] = [...new Set(auditKinds.flatMap((each) => [each.split('.')[0] ?? each, each]))]

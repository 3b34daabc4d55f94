/**
 * Event classes of the Open Cybersecurity Schema Framework (https://schema.ocsf.io/1.3.0/classes) and the activities that Paddock uses.
 * The thousands of a class's number are its category.
 */
export const ocsfClasses = {
  base: { uid: 0, name: 'Base Event', activities: {} },
  authentication: { uid: 3002, name: 'Authentication', activities: { Logon: 1 } },
  network: { uid: 4001, name: 'Network Activity', activities: { Open: 1, Close: 2, Refuse: 5, Traffic: 6 } },
  http: {
    uid: 4002,
    name: 'HTTP Activity',
    activities: { Connect: 1, Delete: 2, Get: 3, Head: 4, Options: 5, Post: 6, Put: 7, Trace: 8 },
  },
  dns: { uid: 4003, name: 'DNS Activity', activities: { Query: 1 } },
  lifecycle: { uid: 6002, name: 'Application Lifecycle', activities: { Start: 3, Stop: 4 } },
  api: { uid: 6003, name: 'API Activity', activities: { Create: 1, Read: 2, Update: 3, Delete: 4 } },
} as const satisfies Record<string, { readonly uid: number; readonly name: string; readonly activities: Readonly<Record<string, number>> }>

export type OcsfClass = keyof typeof ocsfClasses

export const severities = { info: 1, low: 2, medium: 3, high: 4 } as const

/** The class of a kind of line, its activity (others get activity 99 with the kind as its name), and its severity (default: info). */
export interface OcsfRow {
  readonly of: OcsfClass
  readonly activity?: string
  readonly severity?: keyof typeof severities
}

const lifecycle: OcsfRow = { of: 'lifecycle' }
const update: OcsfRow = { of: 'api', activity: 'Update' }
const create: OcsfRow = { of: 'api', activity: 'Create' }
const remove: OcsfRow = { of: 'api', activity: 'Delete' }
const read: OcsfRow = { of: 'api', activity: 'Read' }
const call: OcsfRow = { of: 'api' }

/** One row for each kind of line. A kind without a row is exported as a base event. */
export const ocsfRows: Readonly<Record<string, OcsfRow>> = {
  'cell.launch': { of: 'lifecycle', activity: 'Start' },
  'cell.home': lifecycle,
  'cell.own-copies': lifecycle,
  'cell.limit': { of: 'lifecycle', severity: 'low' },
  'cell.unprotected': { of: 'lifecycle', severity: 'high' },
  'cell.remounted': { of: 'lifecycle', severity: 'medium' },
  'cell.end': { of: 'lifecycle', activity: 'Stop' },
  'cell.redteam': lifecycle,
  'egress.dns': { of: 'dns', activity: 'Query' },
  'egress.allow': { of: 'network', activity: 'Open' },
  'egress.deny': { of: 'network', activity: 'Refuse', severity: 'low' },
  'egress.end': { of: 'network', activity: 'Close' },
  'egress.request': { of: 'http' },
  'egress.unwritten': { of: 'network', activity: 'Traffic', severity: 'low' },
  'egress.total': { of: 'network', activity: 'Traffic' },
  'approval.asked': create,
  'approval.answered': update,
  'credential.use': read,
  'credential.astray': { of: 'api', severity: 'medium' },
  'credential.login': { of: 'authentication', activity: 'Logon' },
  'credential.refresh': { of: 'authentication' },
  contest: create,
  'fleet.agent': call,
  'fleet.job': call,
  'fleet.token': call,
  'fleet.contest': call,
  'fleet.approval': call,
  'fleet.vault': call,
  'fleet.guarantee': call,
  'fleet.schedule': call,
  'fleet.hook': call,
  'fleet.inbox': call,
  'fleet.tool': call,
  'fleet.webhook': call,
  'fleet.lease': call,
  'fleet.topic': { of: 'api', severity: 'low' },
  'fleet.discord': call,
  'discord.job': create,
  'discord.stop': update,
  'discord.answer': update,
  'discord.refused': { of: 'api', severity: 'low' },
  'copy.applied': update,
  'copy.discarded': remove,
  'setup.made': call,
  'setup.placed': call,
  'trust.given': { of: 'api', activity: 'Create', severity: 'low' },
  'trust.taken': remove,
  'vault.made': create,
  'vault.set': update,
  'vault.removed': remove,
  'vault.revealed': { of: 'api', activity: 'Read', severity: 'low' },
  'vault.exported': { of: 'api', activity: 'Read', severity: 'low' },
  'vault.rekeyed': update,
  'vault.unlocked': call,
  'vault.locked': call,
  'audit.repaired': { of: 'api', activity: 'Update', severity: 'medium' },
  'audit.lost': { of: 'api', severity: 'high' },
  'audit.rotated': update,
  'audit.removed': { of: 'api', activity: 'Delete', severity: 'low' },
}

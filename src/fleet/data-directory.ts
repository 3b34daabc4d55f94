import path from 'node:path'

/** The paths of a fleet's data, all in one directory (0700, files 0600). */
export interface FleetData {
  readonly root: string
  /** SQLite database of the state, without anything that agents printed. */
  readonly database: string
  /** Lock of the single process that owns the data. */
  readonly lock: string
  /** Socket of the API for commands on this machine. */
  readonly socket: string
  /** Description of the running server, as JSON: `url`, `socket`, `pid`. */
  readonly serverFile: string
  /** Output of contests that were started over the API. */
  readonly contests: string
  /** Output of commands on suites that were started over the API. */
  readonly suites: string
  agent(id: string): AgentData
}

/** The paths of one agent's data. The directory is named after the agent's random id, so a new agent of the same name inherits nothing. */
export interface AgentData {
  readonly root: string
  /** The socket of the agent's host process. Its path can exceed the limit for socket paths, so connect through `inDirectory`. */
  readonly socket: string
  /** The identity of the agent's host process, as JSON. */
  readonly hostFile: string
  /** Lock of the agent's host process. */
  readonly hostLock: string
  /** Output of the agent's host process. */
  readonly hostLog: string
  /** Returns the home and workspace of a slot, for one job at a time; slots start at 1. With a lease id, returns the lease's own pair. */
  slot(number: number, lease?: string): { readonly home: string; readonly work: string }
  /** The directory of the agent's jobs. */
  readonly jobs: string
  job(id: string): JobData
}

/** The files of one job. */
export interface JobData {
  readonly root: string
  /** A file that exists as soon as a host process has accepted the job, so that no job is started twice. */
  readonly accepted: string
  /** The transcript: one event per line, numbered from 1. */
  readonly transcript: string
  readonly stdout: string
  readonly stderr: string
  /** The report of the cell. */
  readonly cell: string
  /** The conversation of a model and its tools; CLIs keep their own. */
  readonly conversation: string
  /** A file that exists as soon as the job has ended. */
  readonly result: string
}

export function fleetData(root: string): FleetData {
  return {
    root,
    database: path.join(root, 'fleet.db'),
    lock: path.join(root, 'owner.lock'),
    socket: path.join(root, 'paddock.sock'),
    serverFile: path.join(root, 'server.json'),
    contests: path.join(root, 'contests'),
    suites: path.join(root, 'suites'),
    agent: (id) => agentData(path.join(root, 'agents', id)),
  }
}

export function agentData(root: string): AgentData {
  return {
    root,
    socket: path.join(root, 'host/host.sock'),
    hostFile: path.join(root, 'host/host.json'),
    hostLock: path.join(root, 'host/host.lock'),
    hostLog: path.join(root, 'host/host.log'),
    slot(number, lease) {
      const place = path.join(root, 'slots', lease === undefined ? String(number) : `lease-${lease}`)
      return { home: path.join(place, 'home'), work: path.join(place, 'work') }
    },
    jobs: path.join(root, 'jobs'),
    job: (id) => jobData(path.join(root, 'jobs', id)),
  }
}

function jobData(root: string): JobData {
  return {
    root,
    accepted: path.join(root, 'accepted.json'),
    transcript: path.join(root, 'transcript.jsonl'),
    stdout: path.join(root, 'stdout.log'),
    stderr: path.join(root, 'stderr.log'),
    cell: path.join(root, 'cell.json'),
    conversation: path.join(root, 'conversation.json'),
    result: path.join(root, 'result.json'),
  }
}

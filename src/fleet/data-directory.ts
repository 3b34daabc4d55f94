import path from 'node:path'

/** The paths of a fleet's data, all in one directory (0700, files 0600). */
export interface FleetData {
  readonly root: string
  /** SQLite database of the state, without anything that agents printed. */
  readonly database: string
  /** Lock of the one process that owns the data. */
  readonly lock: string
  /** Socket of the API for commands on this machine. */
  readonly socket: string
  /** The running server, as JSON: `url`, `socket`, `pid`. */
  readonly serverFile: string
  /** Output of contests that were started over the API. */
  readonly contests: string
  agent(id: string): AgentData
}

/** The paths of one agent's data. The directory is named by its random id, so a new agent of the same name inherits nothing. */
export interface AgentData {
  readonly root: string
  /** The socket of its host process. The path can be longer than a socket path may be, so connect through `inDirectory`. */
  readonly socket: string
  /** The identity of its host process, as JSON. */
  readonly hostFile: string
  /** Lock of its host process. */
  readonly hostLock: string
  /** Output of its host process. */
  readonly hostLog: string
  /** A home and a workspace for each job at a time; the first slot is 1. A lease, by its id, has its own pair, whatever the number. */
  slot(number: number, lease?: string): { readonly home: string; readonly work: string }
  /** The directory of the agent's jobs. */
  readonly jobs: string
  job(id: string): JobData
}

/** The files of one job. */
export interface JobData {
  readonly root: string
  /** Exists as soon as a host process has accepted the job, so that no job is started twice. */
  readonly accepted: string
  /** One event per line, numbered from 1. */
  readonly transcript: string
  readonly stdout: string
  readonly stderr: string
  /** The report of the cell. */
  readonly cell: string
  /** The conversation of a model and its tools; CLIs keep their own. */
  readonly conversation: string
  /** Exists as soon as the job has ended. */
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

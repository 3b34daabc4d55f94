import path from 'node:path'

/** Where a fleet keeps what is its own, all of it below one directory (0700, files 0600). */
export interface FleetData {
  readonly root: string
  /** SQLite: state, and nothing that agents printed. */
  readonly database: string
  /** Held by the one process that owns the data. */
  readonly lock: string
  /** The API for commands of this machine. */
  readonly socket: string
  /** The running server, as JSON: `url`, `socket`, `pid`. */
  readonly serverFile: string
  /** What contests printed that were started over the API. */
  readonly contests: string
  agent(id: string): AgentData
}

/** What belongs to one agent; the directory is named by its random id, so a new agent of the same name inherits nothing. */
export interface AgentData {
  readonly root: string
  /** The socket of its host process. Its path may be longer than a socket's may be: connect through `inDirectory`. */
  readonly socket: string
  /** Who its host process is, as JSON. */
  readonly hostFile: string
  /** Held by its host process. */
  readonly hostLock: string
  /** What its host process printed. */
  readonly hostLog: string
  /** A home and a workspace for each job at a time; the first slot is 1. A lease, by its id, has one of its own, whatever the number. */
  slot(number: number, lease?: string): { readonly home: string; readonly work: string }
  /** The directory of its jobs. */
  readonly jobs: string
  job(id: string): JobData
}

/** The files of one job. */
export interface JobData {
  readonly root: string
  /** There as soon as a host process has taken the job: no job is started twice. */
  readonly accepted: string
  /** One event a line, numbered from 1. */
  readonly transcript: string
  readonly stdout: string
  readonly stderr: string
  /** The report of the cell. */
  readonly cell: string
  /** What a model and its tools have said; CLIs keep their own. */
  readonly conversation: string
  /** There as soon as the job has ended. */
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

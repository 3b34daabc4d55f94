import path from 'node:path'

/** The paths in a contest directory, a contract with other programs. Names are safe names, numbers start at 1. */
export class Layout {
  readonly root: string

  constructor(root: string) {
    this.root = path.resolve(root)
  }

  get config(): string {
    return path.join(this.root, 'contest.yaml')
  }
  get brief(): string {
    return path.join(this.root, 'BRIEF.md')
  }
  get judgeBrief(): string {
    return path.join(this.root, 'JUDGE_BRIEF.md')
  }
  get raw(): string {
    return path.join(this.root, 'raw')
  }
  /** The files that participants start with, in a contest that was made from a project. */
  get start(): string {
    return path.join(this.root, 'start')
  }
  /** The record of the project that the contest was made from. */
  get project(): string {
    return path.join(this.root, 'project.json')
  }
  /** The record of what was applied to that project. */
  get applied(): string {
    return path.join(this.root, 'applied.json')
  }
  get status(): string {
    return path.join(this.root, 'status.json')
  }
  get events(): string {
    return path.join(this.root, 'events.jsonl')
  }
  get rounds(): string {
    return path.join(this.root, 'rounds')
  }
  get judgings(): string {
    return path.join(this.root, 'judging')
  }
  get consultations(): string {
    return path.join(this.root, 'consultations')
  }
  get report(): string {
    return path.join(this.root, 'report')
  }

  /** The start of a round's participants; absent: they start with nothing. Participants cannot have this name. */
  roundStart(round: number): string {
    return path.join(this.rounds, String(round), 'round.json')
  }

  /** The last status of an earlier round. */
  roundStatus(round: number): string {
    return path.join(this.rounds, `${round}.json`)
  }

  attempts(round: number, participant: string): string {
    return path.join(this.rounds, String(round), participant, 'attempts')
  }

  attempt(round: number, participant: string, attempt: number): RunFiles & AttemptOutput {
    const at = path.join(this.attempts(round, participant), String(attempt))
    return { ...runFiles(at), out: path.join(at, 'out'), quarantined: path.join(at, 'quarantined.json') }
  }

  sealed(round: number, participant: string) {
    const directory = path.join(this.rounds, String(round), 'sealed', participant)
    return {
      directory,
      /** The archive, a single file, so that no program on the host can enter it. */
      archive: path.join(directory, 'out.tar'),
      /** The directory that seals of version 1 use instead of an archive. */
      out: path.join(directory, 'out'),
      seal: path.join(directory, 'seal.json'),
      checks: path.join(directory, 'checks.json'),
    }
  }

  /** The files of one consultation: all reviews, and the files of each reviewer. */
  consultation(number: number) {
    const directory = path.join(this.consultations, String(number))
    return {
      record: path.join(directory, 'consultation.json'),
      /** The file with all reviews of one participant's work. */
      reviews: (participant: string) => path.join(directory, participant, 'REVIEWS.md'),
      reviewer: (participant: string, reviewer: string): RunFiles => runFiles(path.join(this.reviewers(number, participant), reviewer)),
    }
  }

  /** The files of the reviewers of one participant's work, without their reviews. */
  reviewers(consultation: number, participant: string): string {
    return path.join(this.consultations, String(consultation), participant, 'reviewers')
  }

  mapping(judging: number): string {
    return path.join(this.judgings, String(judging), 'mapping.json')
  }

  /** The record of text in submissions that reveals their authors. */
  identity(judging: number): string {
    return path.join(this.judgings, String(judging), 'identity.json')
  }

  /** The record of orders to judges in submissions. */
  ordersToJudges(judging: number): string {
    return path.join(this.judgings, String(judging), 'orders.json')
  }

  /** The directory of one judge's tasks, with a subdirectory for each. */
  tasks(judging: number, judge: string): string {
    return path.join(this.judgings, String(judging), judge, 'tasks')
  }

  task(judging: number, judge: string, id: string) {
    const directory = path.join(this.tasks(judging, judge), id)
    const attempts = path.join(directory, 'attempts')
    return {
      directory,
      attempts,
      scores: path.join(directory, 'scores.json'),
      verdict: path.join(directory, 'verdict.json'),
      review: path.join(directory, 'review.md'),
      record: path.join(directory, 'judge.json'),
      attempt: (attempt: number): RunFiles => runFiles(path.join(attempts, String(attempt))),
    }
  }

  /** Your answers as a judge in a round. They belong to the round, not to a judging by the other judges. */
  yours(round: number) {
    const directory = path.join(this.judgings, 'you', String(round))
    return {
      directory,
      mapping: path.join(directory, 'mapping.json'),
      verdict: (task: string) => path.join(directory, 'tasks', task, 'verdict.json'),
    }
  }

  get leaderboard(): string {
    return path.join(this.report, 'leaderboard.md')
  }
  get summary(): string {
    return path.join(this.report, 'summary.json')
  }
  get html(): string {
    return path.join(this.report, 'report.html')
  }
}

/** The files that one attempt of a participant leaves. */
export interface AttemptOutput {
  /** The directory in which the participant worked. */
  readonly out: string
  /** The record of the quarantined files. If it is missing, the quarantine has not been done yet. */
  readonly quarantined: string
}

/** The files that one run of an agent leaves. */
export interface RunFiles {
  readonly directory: string
  readonly cell: string
  readonly transcript: string
  /** The run in the format ATIF, which other tools read. It is written from the transcript when the run has ended. */
  readonly trajectory: string
  readonly stdout: string
  readonly stderr: string
}

function runFiles(directory: string): RunFiles {
  return {
    directory,
    cell: path.join(directory, 'cell.json'),
    transcript: path.join(directory, 'agent.jsonl'),
    trajectory: path.join(directory, 'trajectory.json'),
    stdout: path.join(directory, 'stdout.log'),
    stderr: path.join(directory, 'stderr.log'),
  }
}

import path from 'node:path'

/** Every path below a suite's directory. */
export class SuiteLayout {
  readonly root: string

  constructor(root: string) {
    this.root = path.resolve(root)
  }

  get config(): string {
    return path.join(this.root, 'suite.yaml')
  }
  get judgeBrief(): string {
    return path.join(this.root, 'JUDGE_BRIEF.md')
  }
  get runs(): string {
    return path.join(this.root, 'runs')
  }
  get report(): string {
    return path.join(this.root, 'report')
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

  /** Repeats start at 1. An ordinary contest. */
  run(brief: string, repeat: number): string {
    return path.join(this.runs, brief, String(repeat))
  }
}

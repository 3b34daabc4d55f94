import path from 'node:path'

/** The paths in a suite's directory. */
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

  /** The comparisons of this suite with earlier runs. */
  get comparisons(): string {
    return path.join(this.root, 'comparisons')
  }

  /** The directory of one repeat, which is an ordinary contest. Repeats start at 1. */
  run(brief: string, repeat: number): string {
    return path.join(this.runs, brief, String(repeat))
  }
}

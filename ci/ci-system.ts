/** One thing that a reader of the job should see, at its place in the checkout. */
export interface Finding {
  readonly level: 'error' | 'warning' | 'notice'
  readonly message: string
  /** Relative to the checkout; null: no file. */
  readonly file: string | null
  readonly line: number | null
}

/** Where the code of this job comes from. `reason`: the fact that makes it a fork, for the summary. */
export type CodeSource = { readonly isFork: false } | { readonly isFork: true; readonly reason: string }

/** The facts that a job gives to the steps after it. */
export interface JobOutputs {
  readonly 'exit-code': string
  /** `passed` (0), `failed` (1), `timed-out` (124), `cancelled` (130), or `error`. */
  readonly result: string
  /** One sentence. */
  readonly headline: string
  readonly report: string
  readonly comment: string
}

/** A continuous integration system. Texts that it gets have no secrets. */
export interface CiSystem {
  readonly env: NodeJS.ProcessEnv
  /** The checkout. */
  readonly workspace: string
  /** A directory that outlives no job, outside of the checkout. */
  readonly temporary: string
  /** The directory for the report, by default. */
  readonly report: string
  readonly source: CodeSource
  /** A directory or URL with the packages of the release that this job uses; null: not known. */
  readonly release: string | null
  /** A checkout of Paddock's sources, from which this job runs; null: it runs from an installed Paddock. */
  readonly own: string | null
  input(name: string): string
  /** True for variables that the job's programs must not have, because only this system's own programs use them. */
  isOwnVariable(name: string): boolean
  print(line: string): void
  /** Folds the lines that follow, until `close`. The output of programs in it is never obeyed. */
  open(title: string): void
  close(): void
  /** Has the system itself hide a value in its log. */
  hide(value: string): void
  /** `directory`: where files of the report go. */
  annotate(findings: readonly Finding[], directory: string): void
  /** Shows Markdown on the page of the job; `short` is its beginning. */
  summarise(markdown: string, short: string): void
  output(outputs: JobOutputs, directory: string): void
}

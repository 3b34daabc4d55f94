/** The API requests for which the token is used at a named repository. All others are denied. */
interface NamedRequests {
  /** The path of a repository, relative to the base of the API. */
  readonly at: (path: readonly string[]) => string
  /** Members of the repository's own description that are credentials. The cell does not get them. */
  readonly hidden: readonly string[]
  /** Paths below the repository that may be read. */
  readonly read: readonly string[]
  /** Paths below the repository that may be changed. */
  readonly write: readonly string[]
  /** The start of a REST command for a repository, and what it lists, as an example. */
  readonly example: readonly [command: string, resource: string]
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** What git, `gh api`, `gh run`, `gh workflow` and `gh cache` use (GitHub's reference, version 2022-11-28). */
const github: NamedRequests = {
  at: (path) => `/repos/${path.join('/')}`,
  hidden: ['temp_clone_token'],
  // The timeline of an issue and its sub-issues show issues of other repositories.
  read: words(`
    contents/** readme/** license languages contributors tarball/** zipball/** tags
    git/** commits/** branches/** compare/** comments/** statuses/** check-runs/** check-suites/**
    issues issues/* issues/*/comments issues/*/labels issues/*/events issues/*/reactions issues/comments/** issues/events/**
    pulls/** labels/** milestones/** assignees/** releases/**
    actions/runs/** actions/jobs/** actions/workflows/** actions/artifacts/** actions/caches actions/cache/usage
  `),
  // A pull request's other paths can create a codespace; those of a run can approve a deployment.
  write: words(`
    contents/** git/** commits/*/comments comments/** merges merge-upstream
    pulls pulls/* pulls/*/merge pulls/*/update-branch pulls/*/requested_reviewers pulls/*/reviews/** pulls/*/comments/** pulls/comments/**
    issues issues/* issues/*/comments issues/*/labels/** issues/*/assignees issues/*/lock issues/*/reactions/** issues/comments/**
    labels/** milestones/** releases/**
    actions/runs/* actions/runs/*/rerun actions/runs/*/rerun-failed-jobs actions/runs/*/cancel actions/runs/*/force-cancel
    actions/runs/*/logs actions/jobs/*/rerun actions/workflows/*/dispatches actions/workflows/*/enable actions/workflows/*/disable
    actions/caches/** actions/artifacts/*
  `),
  example: ['gh api', 'pulls'],
}

/** What git and glab use (GitLab's reference, version 17). A project is one segment with escaped slashes. */
const gitlab: NamedRequests = {
  at: (path) => `/projects/${path.join('%2F')}`,
  hidden: ['runners_token'],
  // What an issue or a merge request closes, blocks or is related to may be in another project.
  read: words(`
    languages repository/** labels/** milestones/** releases/** jobs/**
    issues issues/* issues/*/notes/** issues/*/discussions/** issues/*/award_emoji/** issues/*/participants issues/*/time_stats
    issues/*/resource_label_events/** issues/*/resource_state_events/** issues/*/resource_milestone_events/**
    merge_requests merge_requests/* merge_requests/*/notes/** merge_requests/*/discussions/** merge_requests/*/draft_notes/**
    merge_requests/*/commits merge_requests/*/changes merge_requests/*/diffs merge_requests/*/raw_diffs merge_requests/*/versions/**
    merge_requests/*/approvals merge_requests/*/approval_state merge_requests/*/pipelines merge_requests/*/participants
    merge_requests/*/reviewers merge_requests/*/award_emoji/** merge_requests/*/time_stats merge_requests/*/resource_label_events/**
    merge_requests/*/resource_state_events/** merge_requests/*/resource_milestone_events/**
    pipelines pipelines/* pipelines/*/jobs pipelines/*/bridges pipelines/*/test_report pipelines/*/test_report_summary
  `),
  // An issue's other paths move or copy it to another project, and a label's or milestone's to its group. The linter of a configuration
  // includes files of other projects, and sends variables to the addresses in it.
  write: words(`
    repository/files/** repository/commits/** repository/branches repository/branches/* repository/tags repository/tags/*
    issues issues/* issues/*/notes/** issues/*/discussions/** labels labels/* milestones milestones/* releases/**
    merge_requests merge_requests/* merge_requests/*/notes/** merge_requests/*/discussions/** merge_requests/*/draft_notes/**
    merge_requests/*/approve merge_requests/*/unapprove merge_requests/*/merge merge_requests/*/rebase merge_requests/*/pipelines
    pipeline pipelines/* pipelines/*/retry pipelines/*/cancel jobs/*/retry jobs/*/cancel
  `),
  example: ['glab api', 'merge_requests'],
}

export const namedRequests: Readonly<Record<'github' | 'gitlab', NamedRequests>> = { github, gitlab }

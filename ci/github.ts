import { randomBytes } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CiSystem, CodeSource, Finding, JobOutputs } from './ci-system.ts'

/** GitHub shows at most 10 annotations of a level for a step. */
const mostAnnotations = 10
/** A summary of a step may have 1 MiB. */
const longestSummary = 1_000_000

/**
 * GitHub Actions, through its workflow commands: lines on standard output, and the files that variables name
 * (docs.github.com/actions/reference/workflow-commands-for-github-actions).
 */
export function github(env: NodeJS.ProcessEnv): CiSystem {
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  // A program in a cell can print a workflow command. The runner obeys none between these two lines.
  const resume = randomBytes(16).toString('hex')
  const workspace = path.resolve(env['GITHUB_WORKSPACE'] || process.cwd())
  const temporary = env['RUNNER_TEMP'] || tmpdir()
  return {
    env,
    workspace,
    temporary,
    report: path.join(temporary, 'paddock-report'),
    source: githubSource(env),
    release: releaseOf(env),
    own: fileURLToPath(new URL('..', import.meta.url)),
    input: (name) => env[`INPUT_${name.toUpperCase()}`] ?? '',
    isOwnVariable: (name) => /^(?:INPUT_|ACTIONS_|GITHUB_(?:OUTPUT|ENV|PATH|STATE|STEP_SUMMARY)$)/.test(name),
    print,
    open: (title) => {
      print(`::group::${data(title)}`)
      print(`::stop-commands::${resume}`)
    },
    close: () => {
      print(`::${resume}::`)
      print('::endgroup::')
    },
    // Outside of a runner, nothing would take the value out of the log.
    hide: (value) => {
      if (env['GITHUB_ACTIONS'] === 'true' && env['RUNNER_NAME']) print(`::add-mask::${data(value)}`)
    },
    annotate: (findings) => {
      for (const level of ['error', 'warning', 'notice'] as const)
        for (const each of findings.filter((finding) => finding.level === level).slice(0, mostAnnotations)) print(annotation(each))
    },
    summarise: (markdown) => append(env['GITHUB_STEP_SUMMARY'], `${markdown.slice(0, longestSummary)}\n`),
    output: (outputs) => append(env['GITHUB_OUTPUT'], outputLines(outputs)),
  }
}

/** Returns where the code comes from, by the event. An event that cannot be read is one of a fork. */
export function githubSource(env: NodeJS.ProcessEnv): CodeSource {
  const event = env['GITHUB_EVENT_NAME'] ?? ''
  const own = env['GITHUB_REPOSITORY'] ?? ''
  const isOfOthers = /^pull_request|^workflow_run$/.test(event)
  const head = headOf(env['GITHUB_EVENT_PATH'])
  if (head === null) return isOfOthers ? { isFork: true, reason: `the event ${event} names no repository` } : { isFork: false }
  return head === own ? { isFork: false } : { isFork: true, reason: `${head} is another repository than ${own}` }
}

interface Event {
  readonly pull_request?: { readonly head?: { readonly repo?: { readonly full_name?: string } | null } }
  readonly workflow_run?: { readonly head_repository?: { readonly full_name?: string } | null }
}

/** Returns the repository of the code; null: the event is not about the code of a pull request, or cannot be read. */
function headOf(file: string | undefined): string | null {
  try {
    const { pull_request: pull, workflow_run: run } = JSON.parse(readFileSync(file ?? '', 'utf8')) as Event
    if (pull !== undefined) return pull.head?.repo?.full_name ?? 'a deleted repository'
    return run === undefined ? null : (run.head_repository?.full_name ?? 'a deleted repository')
  } catch {
    return null
  }
}

/** Returns the address of the packages of the action's own release: `uses: OWNER/REPOSITORY@v1.2.3`. */
function releaseOf(env: NodeJS.ProcessEnv): string | null {
  const [server, repository, tag] = [env['GITHUB_SERVER_URL'], env['GITHUB_ACTION_REPOSITORY'], env['GITHUB_ACTION_REF']]
  if (!server || !repository || !/^v\d/.test(tag ?? '')) return null
  return `${server}/${repository}/releases/download/${tag}`
}

function annotation({ level, message, file, line }: Finding): string {
  const place = file === null ? [] : [`file=${property(file)}`, ...(line === null ? [] : [`line=${line}`])]
  return `::${level} ${[...place, 'title=Paddock'].join(',')}::${data(message)}`
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Returns outputs in a form in which no value can begin another output. */
function outputLines(outputs: JobOutputs): string {
  const end = randomBytes(16).toString('hex')
  return Object.entries(outputs)
    .map(([name, value]) => `${name}<<${end}\n${value}\n${end}\n`)
    .join('')
}

function append(file: string | undefined, text: string): void {
  if (file) appendFileSync(file, text)
}

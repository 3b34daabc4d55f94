import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CiSystem, CodeSource, Finding, JobOutputs } from './ci-system.ts'

/**
 * GitLab. Its inputs are the variables `PADDOCK_CI_…` that templates/paddock.yml sets. Annotations are a report of code quality, and outputs
 * a file of variables (docs.gitlab.com/ci/yaml/artifacts_reports).
 */
export function gitlab(env: NodeJS.ProcessEnv): CiSystem {
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  const workspace = path.resolve(env['CI_PROJECT_DIR'] || process.cwd())
  let sections = 0
  const now = (): number => Math.floor(Date.now() / 1000)
  return {
    env,
    workspace,
    temporary: tmpdir(),
    report: path.join(workspace, 'paddock-report'),
    source: gitlabSource(env),
    release: null,
    own: null,
    input: (name) => env[`PADDOCK_CI_${name.toUpperCase().replaceAll('-', '_')}`] ?? '',
    isOwnVariable: (name) => name.startsWith('PADDOCK_CI_'),
    print,
    open: (title) => {
      sections += 1
      print(`\u001b[0Ksection_start:${now()}:paddock_${sections}[collapsed=true]\r\u001b[0K${title}`)
    },
    close: () => print(`\u001b[0Ksection_end:${now()}:paddock_${sections}\r\u001b[0K`),
    // GitLab hides only the variables that its settings mark.
    hide: () => undefined,
    annotate: (findings, directory) => {
      for (const { level, file, line, message } of findings)
        print(`${level}: ${file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `}${message}`)
      writeFileSync(path.join(directory, 'codequality.json'), `${JSON.stringify(findings.map(quality), null, 1)}\n`)
    },
    summarise: (_, short) => print(short),
    // A later job has the report in a checkout of its own.
    output: ({ report, comment, ...outputs }, directory) => {
      const own = { ...outputs, report: path.relative(workspace, report), comment: path.relative(workspace, comment) }
      writeFileSync(path.join(directory, 'outputs.env'), variables(own))
    },
  }
}

/** Returns where the code comes from. */
export function gitlabSource(env: NodeJS.ProcessEnv): CodeSource {
  const [source, own] = [env['CI_MERGE_REQUEST_SOURCE_PROJECT_ID'], env['CI_PROJECT_ID']]
  if (!source) {
    const isOfMerge = env['CI_PIPELINE_SOURCE'] === 'merge_request_event' || Boolean(env['CI_MERGE_REQUEST_IID'])
    return isOfMerge ? { isFork: true, reason: 'the merge request names no project' } : { isFork: false }
  }
  return source === own ? { isFork: false } : { isFork: true, reason: `project ${source} is another project than ${own}` }
}

/** Returns an issue of a report of code quality. */
function quality({ level, message, file, line }: Finding, at: number): object {
  const severity = level === 'error' ? 'major' : level === 'warning' ? 'minor' : 'info'
  return {
    description: message,
    check_name: 'paddock',
    fingerprint: `paddock-${at}-${file}-${line}`,
    severity,
    location: { path: file ?? '.gitlab-ci.yml', lines: { begin: line ?? 1 } },
  }
}

/** Returns variables for later jobs: PADDOCK_EXIT_CODE and so on. A value is one line. */
function variables(outputs: JobOutputs): string {
  return Object.entries(outputs)
    .map(([name, value]) => `PADDOCK_${name.toUpperCase().replaceAll('-', '_')}=${value.replace(/\s+/g, ' ')}\n`)
    .join('')
}

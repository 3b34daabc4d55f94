/**
 * Files that other programs of the host execute or obey later, without being asked: an editor that opens the folder,
 * a shell that enters it, git, another agent. In a cell they are read-only, present or not yet present.
 */
export interface RunLater {
  /** Path relative to the project or, with `anyDepth`, to any directory below it. */
  readonly path: string
  readonly kind: 'file' | 'directory'
  readonly anyDepth: boolean
  readonly why: string
  /** What stands there for the time of the cell where nothing stood: valid and without effect. */
  readonly inert: string
}

const file = (path: string, anyDepth: boolean, why: string, inert = ''): RunLater => ({ path, kind: 'file', anyDepth, why, inert })
const directory = (path: string, anyDepth: boolean, why: string): RunLater => ({ path, kind: 'directory', anyDepth, why, inert: '' })

export const runLater: readonly RunLater[] = [
  file('.envrc', true, 'direnv runs it when a shell enters the directory'),
  file('.mcp.json', true, 'agents start the servers that it names', '{}\n'),
  file('.gitmodules', false, 'git reads submodule addresses and update commands from it'),
  file('.paddock.yaml', false, 'Paddock reads settings from it'),
  file('mise.toml', true, 'mise runs hooks from it'),
  file('.mise.toml', true, 'mise runs hooks from it'),
  file('opencode.json', true, 'opencode starts the servers and plugins that it names', '{}\n'),
  file('opencode.jsonc', true, 'opencode starts the servers and plugins that it names', '{}\n'),
  file('.devcontainer.json', true, 'editors build and run it', '{}\n'),
  file('mise.local.toml', true, 'mise runs hooks from it'),
  file('.mise.local.toml', true, 'mise runs hooks from it'),
  directory('.mise', true, 'mise runs hooks from it'),
  directory('.vscode', true, 'VS Code runs tasks and settings from it'),
  directory('.idea', true, 'JetBrains editors run configurations from it'),
  directory('.zed', true, 'Zed runs tasks and settings from it'),
  directory('.cursor', true, 'Cursor obeys it'),
  directory('.devcontainer', true, 'editors build and run it'),
  directory('.husky', false, 'git runs the hooks in it'),
  directory('.claude', true, 'claude obeys its settings and runs its hooks'),
  directory('.codex', true, 'codex obeys its settings'),
  directory('.gemini', true, 'gemini obeys its settings'),
  directory('.opencode', true, 'opencode runs the plugins in it'),
  // opencode makes it where it is missing, and does not start where it cannot.
  file('.opencode/.gitignore', false, 'opencode makes it', '*\n'),
  directory('.grok', true, 'grok obeys its settings'),
]

/** Inside a git directory (`.git`, at any depth). A `commondir` file would send git to another config. */
export const runLaterOfGit: readonly RunLater[] = [
  file('config', false, 'git runs commands that it names'),
  file('config.worktree', false, 'git runs commands that it names'),
  file('commondir', false, 'git would read its config from where it points', '.\n'),
  directory('hooks', false, 'git runs the hooks in it'),
  directory('remotes', false, 'git takes remotes from it'),
  directory('branches', false, 'git takes remotes from it'),
]

const reportOnly: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /(^|\/)package\.json$/, why: 'npm runs its scripts' },
  { pattern: /(^|\/)(GNUm|[Mm])akefile$|\.mk$/, why: 'make runs it' },
  { pattern: /(^|\/)\.?[Jj]ustfile$/, why: 'just runs it' },
  { pattern: /(^|\/)(Taskfile|Rakefile|Gruntfile|Gulpfile|noxfile|tasks)\.(ya?ml|rb|py|[cm]?[jt]s)$/i, why: 'a task runner runs it' },
  { pattern: /(^|\/)Rakefile$/, why: 'a task runner runs it' },
  { pattern: /(^|\/)(Dockerfile|Containerfile|compose\.ya?ml|docker-compose\.ya?ml)/, why: 'a container engine runs it' },
  { pattern: /^\.(github|gitlab|circleci|buildkite|woodpecker|forgejo|gitea)\//, why: 'CI runs it' },
  { pattern: /(^|\/)(\.gitlab-ci\.yml|\.travis\.yml|Jenkinsfile|azure-pipelines\.yml|\.ci\/.*)$/, why: 'CI runs it' },
  { pattern: /(^|\/)(\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.[cm]?js|\.pypirc|pip\.conf)$/, why: 'a package manager obeys it' },
  {
    pattern: /(^|\/)(setup|conftest|sitecustomize)\.py$|(^|\/)(build\.rs|binding\.gyp|configure|CMakeLists\.txt)$/,
    why: 'a build runs it',
  },
  {
    pattern:
      /(^|\/)(build\.gradle|settings\.gradle)(\.kts)?$|(^|\/)(pom\.xml|WORKSPACE|MODULE\.bazel|BUILD(\.bazel)?|\.bazelrc|\.mvn\/.*)$/,
    why: 'a build runs it',
  },
  {
    pattern: /(^|\/)(pyproject\.toml|tox\.ini|setup\.cfg|Cargo\.toml|composer\.json|Gemfile)$/,
    why: 'a build or package manager runs what it names',
  },
  { pattern: /(^|\/)(default|shell|flake)\.nix$/, why: 'nix runs it' },
  { pattern: /(^|\/)(\.pre-commit-config\.yaml|\.?lefthook(-local)?\.ya?ml)$/, why: 'a git hook runs it' },
  { pattern: /(^|\/)\.lintstagedrc(\.[a-z]+)?$/, why: 'a git hook runs it' },
  { pattern: /(^|\/)([a-z-]+\.)?config\.[cm]?[jt]s$/, why: 'a build or test tool runs it' },
  { pattern: /(^|\/)\.[a-z]+rc\.[cm]?[jt]s$/, why: 'a build or test tool runs it' },
  { pattern: /(^|\/)(CLAUDE|AGENTS|GEMINI)(\.[a-z]+)?\.md$|(^|\/)\.(cursor|windsurf|cline)rules$/, why: 'agents obey it' },
  { pattern: /(^|\/)\.cargo\/config(\.toml)?$/, why: 'cargo obeys it' },
  { pattern: /\.code-workspace$/, why: 'VS Code obeys it' },
  {
    pattern: /(^|\/)(rust-toolchain(\.toml)?|\.tool-versions|\.nvim\.lua|\.exrc|\.g?vimrc|\.gdbinit|\.lldbinit|gradlew|mvnw|bunfig\.toml)$/,
    why: 'a tool obeys or runs it',
  },
  { pattern: /\.(sh|bash|zsh|fish)$/, why: 'a shell script' },
  { pattern: /(^|\/)(rebase-merge|rebase-apply|sequencer)\/(git-rebase-)?todo$/, why: 'git carries it out at the next --continue' },
]

/** Why a changed file (path relative to the project) would run on the host later; null: it would not, by its name. */
export function whyRunsLater(relative: string): string | null {
  for (const each of reportOnly) if (each.pattern.test(relative)) return each.why
  return null
}

/** The same for a path in small letters, where case does not count: on such a file system it is that file. */
export function looksLikeRunLater(relative: string): string | null {
  for (const { pattern, why } of reportOnly) if (new RegExp(pattern.source, 'i').test(relative)) return why
  return null
}

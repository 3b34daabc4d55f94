/**
 * One row of the one table of files that other programs of the host run or obey later, with the tool that does so as the reason.
 *
 * Names are those of any directory of a project, separated by blanks. `/` in front: only at the root of the project. `/` at the end: a
 * directory, with all that is in it. `*`: any part of one name. `{a,b}`: both.
 */
export interface RunLaterRow {
  readonly names: string
  readonly why: string
  /**
   * - `inert`: read-only in a cell. If it does not exist at the root, an inert entry is put there for the duration of the cell.
   * - `protected`: read-only where it exists when a cell starts; a new one is quarantined at the end.
   * - `unasked`: named at the end. A tool obeys it without being asked: it opens or enters the directory, or is used for something else.
   * - `asked`: named at the end. A tool runs or obeys it when the user asks for a build, a test, a deployment and the like.
   * - `script`: named at the end, after all others.
   */
  readonly decision: 'inert' | 'protected' | 'unasked' | 'asked' | 'script'
  /** Content of the inert file: valid and without effect. */
  readonly inert?: string
  /** Entries of another kind with this name are harmless. */
  readonly onlyThisKind?: true
}

const as =
  (decision: RunLaterRow['decision'], more: Partial<RunLaterRow> = {}) =>
  (why: string, names: string): RunLaterRow => ({ names, why, decision, ...more })

const inert = as('inert')
const inertJson = as('inert', { inert: '{}\n' })
const isProtected = as('protected')
const isProtectedKind = as('protected', { onlyThisKind: true })
const unasked = as('unasked')
const asked = as('asked')

const code = '{js,cjs,mjs,ts,cts,mts}'
const yaml = '{yml,yaml}'
const gitHooks = '{pre-commit,pre-push,commit-msg,prepare-commit-msg,post-checkout,post-commit,post-merge}'

/** Where two rows have the same name, the first of them counts. */
export const runLaterTable: readonly RunLaterRow[] = [
  inert('direnv runs it when a shell enters the directory', '.envrc'),
  inertJson('agents start the servers that it names', '.mcp.json'),
  inert('git reads submodule addresses and update commands from it', '/.gitmodules'),
  inert('Paddock reads settings from it', '/.paddock.yaml'),
  inert('mise runs hooks from it', 'mise.toml .mise.toml'),
  inertJson('opencode starts the servers and plugins that it names', 'opencode.json opencode.jsonc'),
  inertJson('editors build and run it', '.devcontainer.json'),
  inert('mise runs hooks from it', 'mise.local.toml .mise.local.toml .mise/'),
  inert('VS Code runs tasks and settings from it', '.vscode/'),
  inert('JetBrains editors run configurations from it', '.idea/'),
  inert('Zed runs tasks and settings from it', '.zed/'),
  inert('Cursor obeys it', '.cursor/'),
  inert('editors build and run it', '.devcontainer/'),
  inert('git runs the hooks in it', '/.husky/'),
  inert('claude obeys its settings and runs its hooks', '.claude/'),
  inert('codex obeys its settings', '.codex/'),
  inert('gemini obeys its settings', '.gemini/'),
  inert('opencode runs the plugins in it', '.opencode/'),
  // opencode makes it where it is missing, and does not start where it cannot.
  as('inert', { inert: '*\n' })('opencode makes it', '/.opencode/.gitignore'),
  inert('grok obeys its settings', '.grok/'),

  // Shells and version managers.
  isProtected('mise runs hooks from it', 'mise.*.toml .mise.*.toml .config/mise/ mise/config.toml mise/config.*.toml mise/conf.d/'),
  isProtected('mise runs hooks from it', '.miserc.toml .rtx.toml .rtx.*.toml'),
  isProtected('mise runs the tasks in it', 'mise-tasks/ .mise-tasks/ mise/tasks/'),
  isProtected('autoenv runs it when a shell enters the directory', '.autoenv .autoenv.zsh .autoenv_leave.zsh .autoenv.leave'),
  // Agents: settings, hooks, servers and scripts, which they use without a question. What they merely read as text is named, below.
  isProtected('Crush starts the servers that it names', 'crush.json .crush.json'),
  isProtected('Qwen Code obeys its settings', '.qwen/'),
  isProtected('iFlow obeys its settings', '.iflow/'),
  isProtected('Kiro runs its hooks and servers', '.kiro/'),
  isProtected('Amazon Q starts the servers that it names', '.amazonq/'),
  isProtected('Roo Code obeys it', '.roo/ .roomodes'),
  isProtected('Kilo Code obeys it', '.kilocode/ .kilocodemodes'),
  isProtected('Continue obeys it', '.continue/ .continuerc.json'),
  isProtected('aider runs the commands that it names', '.aider.conf.yml'),
  isProtected('aider sends requests where it says', '.aider.model.settings.yml'),
  isProtected('Droid runs its hooks and servers', '.factory/'),
  isProtected('Windsurf obeys it', '.windsurf/'),
  // A file of this name is text.
  isProtectedKind('Cline runs its hooks and workflows', '.clinerules/'),
  isProtected('Junie starts the servers that it names', '.junie/'),
  isProtected('Trae obeys it', '.trae/'),
  isProtected('Augment obeys it', '.augment/'),
  isProtected('Copilot starts the servers that it names', '.copilot/'),
  isProtected('Copilot runs the hooks in it', '.github/hooks/'),
  isProtected('agents run the scripts of skills in it', '.agents/ .agent/rules/ .agent/workflows/ .agent/skills/'),
  isProtected('pi runs the extensions in it', '.pi/'),
  isProtected('Tabnine starts the servers that it names', '.tabnine/'),
  isProtected('Amp starts the servers that it names', '.amp/'),
  isProtected('Letta Code runs its hooks', '.letta/'),
  isProtected('Rovo Dev obeys it', '.rovodev/'),
  isProtected('OpenHands runs its setup script', '.openhands/'),
  isProtected('goose runs the recipes in it', '.goose/'),
  isProtected('CodeBuddy runs its hooks', '.codebuddy/'),
  isProtected('Qoder runs its hooks', '.qoder/'),
  // Editors.
  isProtected('Helix starts the language servers that it names', '.helix/'),
  isProtected('Vim and its plugins obey it', '.vim/ .exrc .nvimrc .nvim.lua .lvimrc'),
  isProtected('Emacs evaluates it', '.dir-locals.el .dir-locals-2.el'),
  isProtected('Fleet runs configurations from it', '.fleet/'),
  isProtected('JetBrains editors run configurations from it', '.run/'),
  isProtected('Theia runs tasks from it', '.theia/'),
  isProtected('Visual Studio runs tasks from it', '.vs/'),
  isProtected('Nova runs tasks from it', '.nova/'),
  isProtected('Lapce obeys its settings', '.lapce/'),
  isProtected('Lite XL runs it', '.lite_project.lua'),
  // Repositories of other kinds run nothing without these, so a cell may make one.
  isProtected('Mercurial runs the hooks and extensions that it names', '.hg/hgrc .hg/hgrc-not-shared'),
  isProtected('Mercurial obeys the hgrc of the repository that it names', '.hg/sharedpath'),
  isProtected('Jujutsu runs the commands that it names', '.jj/repo/config.toml .jj/workspace-config.toml'),
  isProtectedKind('Jujutsu obeys the config of the repository that it names', '.jj/repo'),

  unasked('agents obey it', '{CLAUDE,AGENTS,GEMINI,AGENT,QWEN,WARP,CRUSH,GROK,JULES}{.md,.*.md}'),
  unasked('agents obey it', '.cursorrules .windsurfrules .clinerules .roorules .rules .goosehints .openhands_instructions'),
  unasked('agents obey it', 'mcp.json .claude-plugin/ .cody/ .codeium/'),
  unasked('agents obey it', '.github/{copilot-instructions.md,instructions/,prompts/,agents/,mcp.json}'),
  unasked('VS Code obeys it', '*.code-workspace'),
  unasked('Sublime Text obeys it', '*.sublime-project'),
  unasked('Eclipse obeys it', '.project .cproject .classpath .settings/'),
  unasked('NetBeans obeys it', 'nbproject/'),
  unasked('Xcode obeys it', '*.xcodeproj/ *.xcworkspace/'),
  unasked('an editor obeys it', '.vimrc .gvimrc _vimrc .emacs .ycm_extra_conf.py .vimspector.json .kak/'),
  unasked('a language server obeys it', 'rust-analyzer.toml .rust-analyzer.toml hie.yaml .merlin .lsp/ .luarc.json omnisharp.json'),
  unasked('a language server obeys it', '.solargraph.yml .clangd .ccls compile_commands.json'),
  unasked('a language server loads the plugins that it names', 'tsconfig*.json jsconfig*.json'),
  unasked('shells and tools take variables from it', '.env .env.local .env.{development,production,test} .env.*.local'),
  unasked('autoenv runs it when a shell enters the directory', '.in .out'),
  unasked('a version manager obeys it', '.tool-versions rust-toolchain rust-toolchain.toml .prototools .python-version'),
  unasked('git chooses filters and diff programs by it', '.gitattributes'),
  unasked('git lfs sends objects where it says', '.lfsconfig'),
  unasked('git reads submodule addresses and update commands from it', '.gitmodules'),
  unasked('git runs the hooks in it', `.husky/ .githooks/ hooks/${gitHooks}`),
  unasked('a git hook runs it', '.pre-commit-config.yaml .lintstagedrc* .huskyrc* .overcommit.yml .commitlintrc* .gitlint'),
  unasked('a git hook runs it', `{lefthook,.lefthook,lefthook-local,.lefthook-local}.{yml,yaml,toml,json}`),
  unasked('git carries it out at the next --continue', '{rebase-merge,rebase-apply}/git-rebase-todo sequencer/todo'),
  unasked('git review sends commits where it says', '.gitreview'),
  unasked('Bazaar obeys it', '.bzr/branch/branch.conf'),
  unasked('an editor or linter loads the plugins that it names', '.eslintrc* .prettierrc* .stylelintrc* .oxlintrc.json .rubocop.yml'),
  unasked('an editor or linter loads the plugins that it names', '.pylintrc pylintrc mypy.ini .mypy.ini .flake8 .luacheckrc'),
  unasked('an editor or linter runs what it names', `.golangci.${yaml} .pyre_configuration .trunk/ .clj-kondo/`),
  unasked('an interpreter runs it when it starts', '.Rprofile .Renviron renv/activate.R .ghci .iex.exs .irbrc .pryrc .pdbrc'),
  unasked('an interpreter runs it when it starts', '.ocamlinit .utoprc .erlang .octaverc .user.ini .nrepl.edn .gnuplot'),
  unasked('an interpreter runs it when it starts', 'sitecustomize.py usercustomize.py *.pth .ipython/ .jupyter/'),
  unasked('an interpreter runs it when it starts', 'ipython_config.py jupyter_config.py jupyter_*_config.py .pnp.cjs .pnp.loader.mjs'),
  unasked('a debugger runs it', '.gdbinit .lldbinit'),
  unasked('a tool obeys it if your home links to it', '.bashrc .bash_profile .zshrc .zshenv .profile .inputrc .tmux.conf .screenrc'),
  unasked('a tool obeys it if your home links to it', '.gitconfig .ssh/config .netrc .wgetrc .curlrc .my.cnf .psqlrc .sqliterc'),
  unasked('sops lets the keys that it names read secrets', '.sops.yaml'),

  asked('npm runs its scripts', 'package.json'),
  asked('make runs it', 'Makefile makefile GNUmakefile BSDmakefile Makefile.am *.mk'),
  asked('just runs it', '{justfile,Justfile,.justfile,.Justfile}'),
  asked('a task runner runs it', `{Taskfile,taskfile}{,.*}.${yaml} tasks.${yaml} {Gruntfile,gruntfile,Gulpfile,gulpfile}.* Cakefile`),
  asked('a task runner runs it', 'Rakefile rakefile Rakefile.rb noxfile.py tasks.py dodo.py fabfile.py Guardfile Capfile magefile.go'),
  asked('a task runner runs it', '.air.toml turbo.json nx.json lerna.json rush.json .moon/ deno.json deno.jsonc Procfile Procfile.*'),
  asked('a task runner runs it', 'Snakefile nextflow.config dvc.yaml .dvc/config .dvc/config.local .tmuxinator.yml'),
  asked('a container engine runs it', 'Dockerfile* *.Dockerfile *.dockerfile Containerfile* docker-bake.hcl docker-bake.json Earthfile'),
  asked('a container engine runs it', `{compose,docker-compose}{,.*}.${yaml} skaffold.yaml Tiltfile .mirrord/`),
  asked('a development environment runs it', 'Vagrantfile devbox.json devenv.nix devenv.yaml .flox/ .lando.yml .ddev/ .gitpod.yml'),
  asked('a development environment runs it', `.replit .idx/ environment.${yaml} pixi.toml .pixi/`),
  asked('CI runs it', '.github/ .gitlab/ .circleci/ .buildkite/ .woodpecker/ .forgejo/ .gitea/ .ci/ .gitlab-ci.yml .travis.yml'),
  asked('CI runs it', 'Jenkinsfile azure-pipelines.yml .drone.yml .appveyor.yml appveyor.yml .cirrus.yml bitbucket-pipelines.yml'),
  asked('CI runs it', 'cloudbuild.yaml renovate.json .arcconfig'),
  asked('a package manager obeys it', '.npmrc .yarnrc .yarnrc.yml .pnpmfile.{js,cjs,mjs} pnpm-workspace.yaml .bowerrc bower.json'),
  asked('a package manager obeys it', '.pypirc pip.conf Pipfile poetry.toml uv.toml requirements*.txt bunfig.toml'),
  asked('a package manager obeys it', 'NuGet.config nuget.config .bundle/config .config/dotnet-tools.json global.json'),
  asked('a package manager runs it', '.yarn/releases/ .yarn/plugins/'),
  asked('a build or package manager runs what it names', 'pyproject.toml tox.ini setup.cfg Cargo.toml composer.json Gemfile'),
  asked('a build runs it', 'setup.py build.rs binding.gyp configure configure.ac CMakeLists.txt CMake{,User}Presets.json *.cmake'),
  asked('a build runs it', 'meson.build build.ninja SConstruct wscript waf conanfile.py xmake.lua premake5.lua Cross.toml'),
  asked('a build runs it', 'Makefile.PL Build.PL Package.swift Podfile mix.exs .formatter.exs rebar.config project.clj deps.edn dune'),
  asked('a build runs it', 'cabal.project stack.yaml Setup.hs BUCK .buckconfig pants.toml pom.xml build.xml .mvn/ mvnw mvnw.cmd'),
  asked('bazel runs or obeys it', 'WORKSPACE{,.bazel} MODULE.bazel BUILD{,.bazel} *.bzl tools/bazel .bazelrc .bazelversion .bazeliskrc'),
  asked(
    'Gradle runs or obeys it',
    '*.gradle *.gradle.kts gradle.properties gradle/wrapper/ libs.versions.toml buildSrc/ gradlew gradlew.bat',
  ),
  asked('sbt or mill runs or obeys it', '*.sbt .sbtopts .jvmopts build.sc build.mill'),
  asked('MSBuild runs or obeys it', '*.{cs,fs,vb,vcx}proj *.sln *.slnx Directory.*.{props,targets}'),
  asked('nix runs it', '{default,shell,flake}.nix'),
  asked('cargo obeys it', '.cargo/config .cargo/config.toml'),
  asked('a build or test tool runs it', `config.${code} *.config.${code} .*rc.${code} *.conf.${code} .vscode-test.${code}`),
  asked(
    'a build or test tool runs it',
    'conftest.py pytest.ini .pytest.ini .coveragerc .mocharc* .nycrc* jest.config.json .rspec .proverc',
  ),
  asked('a build or test tool runs it', '.babelrc* .swcrc .postcssrc* ember-cli-build.js brunch-config.js .storybook/ angular.json'),
  asked('a build or test tool runs it', '.php-cs-fixer*.php phpunit.xml* phpstan.neon* .credo.exs config.ru .globalrc'),
  asked('a release tool runs it', `.releaserc* .czrc .changeset/ .goreleaser.${yaml}`),
  asked('a deployment runs it', '.terraform/ .tflint.hcl terragrunt.hcl Pulumi.yaml ansible.cfg serverless.yml helmfile.yaml'),
  asked('a deployment runs it', 'netlify.toml vercel.json wrangler.toml firebase.json'),
  as('script')('a shell script', '*.{sh,bash,zsh,fish}'),
]

/** Returns the names of a row, each by itself. */
export function namesOf(row: RunLaterRow): readonly string[] {
  return row.names.split(' ').flatMap(expand)
}

function expand(name: string): readonly string[] {
  const [, before, choices, after] = /^(.*?)\{([^}]*)\}(.*)$/.exec(name) ?? []
  if (choices === undefined) return [name]
  return choices.split(',').flatMap((each) => expand(`${before}${each}${after}`))
}

import type { Row } from './row.ts'

const programs = '$PROGRAMS/node_modules'
const bin = `${programs}/.bin`
/** A commit has the same hash in each run. */
const identity = `export ${['AUTHOR', 'COMMITTER'].flatMap((each) => [`GIT_${each}_NAME=x`, `GIT_${each}_EMAIL=x@example.com`, `GIT_${each}_DATE=2026-01-01T00:00:00Z`]).join(' ')}`
const quiet = 'export NEXT_TELEMETRY_DISABLED=1 NG_CLI_ANALYTICS=false NO_COLOR=1 npm_config_update_notifier=false'

const rows: readonly Row[] = [
  ...['react-ts', 'vanilla', 'lit-ts', 'preact', 'solid-ts', 'qwik', 'vue-ts', 'svelte-ts'].map((template) => ({
    name: `create-vite: ${template}`,
    needs: ['node', 'npm:create-vite'],
    script: `"${bin}/create-vite" . --template ${template} --no-interactive`,
  })),
  {
    name: 'create-next-app: TypeScript, and its repository',
    needs: ['node', 'npm:create-next-app'],
    script: `${quiet}; ${identity}; "${bin}/create-next-app" . --ts --tailwind --eslint --app --src-dir --import-alias "@/*" --use-npm --skip-install --yes; git log --stat --format=%H; git status --short`,
  },
  {
    name: 'create-next-app: JavaScript without a repository',
    needs: ['node', 'npm:create-next-app'],
    script: `${quiet}; "${bin}/create-next-app" . --js --no-tailwind --no-eslint --no-app --no-src-dir --import-alias "@/*" --use-npm --skip-install --disable-git --yes`,
  },
  {
    name: 'sv (Svelte)',
    needs: ['node', 'npm:sv'],
    script: `"${bin}/sv" create . --template minimal --types ts --no-add-ons --no-install --no-dir-check`,
  },
  {
    name: 'create-astro',
    needs: ['node', 'npm:create-astro'],
    script: `"${bin}/create-astro" . --template minimal --no-install --no-git --yes`,
    unavailable: 'it downloads its templates',
  },
  {
    name: 'create-react-router: a template in a directory',
    needs: ['node', 'npm:create-react-router', 'git'],
    script: `${quiet}; ${identity}; mkdir -p "$HOME/t/app"; cd "$HOME/t"; echo '{"name":"t","private":true}' > package.json; echo 'export default 42' > app/root.js; cd "$OLDPWD"; "${bin}/create-react-router" . --template "$HOME/t" --no-install --git-init --yes --no-motion > /dev/null; git log --stat --format=%H; git status --short`,
    quarantined: ['.agents'],
  },
  {
    name: 'create-vue',
    needs: ['node', 'npm:create-vue'],
    script: `"${bin}/create-vue" app --default`,
  },
  {
    name: 'express-generator',
    needs: ['node', 'npm:express-generator'],
    script: `"${bin}/express" --no-view --git .`,
  },
  {
    name: 'fastify-cli',
    needs: ['node', 'npm:fastify-cli'],
    script: `"${bin}/fastify" generate . --lang=ts > log; sort log; rm log`,
  },
  {
    name: 'Angular, and its repository',
    needs: ['node', 'npm:@angular/cli', 'git'],
    script: `${quiet}; ${identity}; "${bin}/ng" new app --directory . --defaults --skip-install; git log --stat --format=%H; git status --short`,
  },
  {
    name: 'Nest, and its repository',
    needs: ['node', 'npm:@nestjs/cli', 'git'],
    script: `${quiet}; "${bin}/nest" new app --directory . --skip-install --package-manager npm; git status --short`,
  },
  {
    name: 'npm init, also with an initializer from an archive',
    needs: ['node', 'npm'],
    script: `${quiet}; npm init -y; npm init -y -w packages/a; mkdir "$HOME/c"; cd "$HOME/c"; echo '{"name":"create-c","version":"1.0.0","bin":"c.js"}' > package.json; printf '%s\\n' '#!/usr/bin/env node' 'require("fs").writeFileSync("made.json", "{}")' > c.js; npm pack --silent; cd "$OLDPWD"; npm exec --offline --yes --package "$HOME/c/create-c-1.0.0.tgz" -- create-c`,
    varies: /added .* in .*|\/[^ ]*(?=\/package)/,
  },
  { name: 'Yarn: init', needs: ['node', 'npm:yarn'], script: `"${bin}/yarn" --offline --silent init -y` },
  { name: 'pnpm: init', needs: ['node', 'npm:@pnpm/exe.linux-x64'], script: `"${programs}/@pnpm/exe.linux-x64/pnpm" init` },
  { name: 'Deno: init', needs: ['npm:@deno/linux-x64-glibc'], script: `NO_COLOR=1 "${programs}/@deno/linux-x64-glibc/deno" init` },
  { name: 'TypeScript: init', needs: ['node', 'npm:typescript'], script: `"${bin}/tsc" --init` },
  {
    name: 'cargo: init, new and a build',
    needs: ['cargo', 'gcc'],
    script: 'export CARGO_INCREMENTAL=0; cargo init --name hello; cargo new --lib l; cargo build --quiet --offline; git status --short',
    byName: /^target\//,
  },
  { name: 'go: mod init and work init', needs: ['go'], script: 'go mod init example.com/hello; go work init .' },
  { name: 'mix: new', needs: ['mix'], script: 'mix new . --app hello; mix new sup --sup' },
  { name: 'dune: init', needs: ['dune'], script: 'dune init proj hello .; dune init proj other' },
  {
    name: 'Django: startproject, startapp and migrate',
    needs: ['django-admin'],
    script:
      'django-admin startproject mysite .; python3 manage.py startapp polls; python3 manage.py migrate --noinput --verbosity 0; python3 manage.py check',
    byName: /settings\.py$|\.pyc$|db\.sqlite3$/,
  },
  {
    name: 'Rails, and its repository',
    needs: ['rails', 'git'],
    script: `rails new . --skip-bundle; git status --short`,
    byName: /master\.key$|credentials\.yml\.enc$/,
  },
  {
    name: 'Rails: an API without a repository',
    needs: ['rails'],
    script: 'rails new . --skip-bundle --api --skip-git --minimal',
    byName: /master\.key$|credentials\.yml\.enc$/,
  },
  { name: 'Poetry: new and init', needs: ['poetry'], script: 'poetry new p; mkdir q; cd q; poetry init -n --name q' },
  { name: 'Composer: init', needs: ['composer'], script: 'composer init -n --name a/b --author "x <x@example.com>"' },
  { name: 'Meson: init', needs: ['meson'], script: 'meson init --name hello > /dev/null; cat meson.build' },
  {
    name: 'bundler: init and gem',
    needs: ['bundle', 'git'],
    script: `export BUNDLE_IGNORE_MESSAGES=true; git config --global user.name x; git config --global user.email x@example.com; bundle init; bundle gem foo --no-exe --no-coc --no-mit --no-ext --test=minitest --ci=github --linter=rubocop; git -C foo status --short`,
  },
  { name: 'autoscan', needs: ['autoscan'], script: 'echo "int main(void) { return 0; }" > a.c; autoscan' },
  {
    name: 'git: init, with templates, bare and in a subdirectory',
    needs: ['git'],
    script: 'git init; git init --bare b.git; git init -b main sub; git status --short',
  },
  {
    name: 'cabal: init',
    needs: ['cabal'],
    script: 'cabal init --non-interactive --package-name=hello --lib',
    unavailable: 'it downloads its list of packages',
  },
  {
    name: 'git: clone of a file URL into the project',
    needs: ['git'],
    repository: { a: '1\n', 'b/c': '2\n' },
    script: `${identity}; git clone -q "file://$REPOSITORY" .; git status --short --branch; git log --format=%H`,
  },
  {
    name: 'git: clone of a repository with settings of an editor and hooks',
    needs: ['git'],
    repository: { a: '1\n', '.vscode/settings.json': '{}\n', '.husky/pre-commit': 'echo 1\n' },
    script: `${identity}; git clone -q "file://$REPOSITORY" .; git status --short --branch; git log --format=%H`,
    quarantined: ['.husky'],
  },
]

/** Programs that make a new project, in a project without any file. */
export const scaffolders: readonly Row[] = rows.map((row) => ({ ...row, makesProject: true }))

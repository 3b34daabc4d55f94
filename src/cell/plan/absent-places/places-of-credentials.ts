/** Paths in a home where programs keep credentials or histories, besides the directories of agents. */
export const credentialPlaces: readonly string[] = [
  ...['.ssh', '.aws', '.azure', '.gnupg', '.netrc', '.docker', '.kube', '.npmrc', '.yarnrc.yml', '.pypirc', '.git-credentials', '.pgpass'],
  ...['.my.cnf', '.s3cfg', '.boto', '.vault-token', '.terraform.d', '.fly', '.password-store', '.age', '.config/sops', '.config/rclone'],
  ...['.config/gcloud', '.config/gh', '.config/hub', '.config/glab-cli', '.config/doctl', '.config/op', '.config/git/credentials'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.m2/settings.xml', '.gradle/gradle.properties'],
  ...['.composer/auth.json', '.config/composer/auth.json', '.local/share/keyrings', '.local/share/kwalletd', '.mozilla', '.thunderbird'],
  ...['.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.config/microsoft-edge', '.config/Code', '.config/Cursor'],
  ...['.claude.json', '.config/opencode', '.config/github-copilot'],
  ...['.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.Xauthority', '.gitconfig'],
  // Clouds and clusters.
  ...['.oci', '.aliyun', '.bluemix', '.config/hcloud', '.config/linode-cli', '.config/scw', '.config/configstore', '.config/netlify'],
  ...[
    '.config/vercel',
    '.local/share/com.vercel.cli',
    '.wrangler',
    '.config/.wrangler',
    '.config/heroku',
    '.config/stripe',
    '.config/ngrok',
  ],
  ...['.config/ngrok2', '.ngrok2', '.pulumi/credentials.json', '.terraformrc', '.databrickscfg', '.snowsql', '.config/helm'],
  ...['.config/containers/auth.json', '.config/solana', '.dbt/profiles.yml', '.ovh.conf'],
  // Registries, models and forges.
  ...[
    '.config/pip',
    '.pip/pip.conf',
    '.config/pypoetry/auth.toml',
    '.local/share/uv/credentials',
    '.config/pnpm/rc',
    '.yarnrc',
    '.bunfig.toml',
  ],
  ...['.nuget/NuGet/NuGet.Config', '.config/NuGet/NuGet.Config', '.m2/settings-security.xml', '.ivy2/.credentials', '.sbt/.credentials'],
  ...[
    '.bundle/config',
    '.config/cachix',
    '.config/nix/nix.conf',
    '.condarc',
    '.cache/huggingface/token',
    '.cache/huggingface/stored_tokens',
  ],
  ...['.huggingface', '.kaggle', '.config/kaggle', '.config/io.datasette.llm/keys.json', '.config/tea', '.config/git/config', '.hgrc'],
  ...['.subversion/auth', '.config/goose', '.aider.conf.yml', '.cursor', '.codeium', '.config/zed', '.config/VSCodium', '.vscode-server'],
  // Other machines, mail and desktops.
  ...['.smbcredentials', '.msmtprc', '.config/msmtp', '.mbsyncrc', '.fetchmailrc', '.muttrc', '.config/filezilla', '.config/remmina'],
  ...['.local/share/remmina', '.ICEauthority', '.config/pulse', '.pki', '.config/Bitwarden', '.config/1Password', '.config/Slack'],
  ...['.config/discord', '.config/Signal', '.config/vivaldi', '.config/opera', '.config/mozilla', '.cert', '.var/app', 'snap'],
  ...['.tsh', '.step', '.minikube', '.cloudflared', '.modal.toml', '.ngc', '.supabase', '.railway', '.expo', '.sentryclirc'],
  ...['.gitcookies', '.curlrc', '.config/.curlrc', '.wgetrc', '.lftprc', '.config/lftp', '.local/share/lftp', '.offlineimaprc', '.mailrc'],
  ...[
    '.config/neomutt',
    '.config/mutt',
    '.config/aerc',
    '.config/evolution',
    '.local/share/evolution',
    '.purple',
    '.vault_pass',
    '.ansible/galaxy_token',
  ],
  ...['.config/google-chrome-beta', '.config/google-chrome-unstable', '.librewolf', '.waterfox', '.config/Element', '.config/Postman'],
  ...['.local/share/TelegramDesktop', '.config/Insomnia', '.config/JetBrains', '.local/share/DBeaverData', '.local/share/rbw'],
  ...['.config/gopass', '.local/share/gopass', '.local/share/python_keyring', '.config/syncthing', '.local/state/syncthing'],
  ...['.electrum', '.bitcoin', '.ethereum', '.jupyter', '.local/share/jupyter/runtime'],
  // Histories.
  ...['.local/share/fish/fish_history', '.local/state/bash/history', '.local/share/zsh/history', '.zhistory', '.histfile', '.sh_history'],
  ...[
    '.mysql_history',
    '.mariadb_history',
    '.sqlite_history',
    '.rediscli_history',
    '.dbshell',
    '.mongodb',
    '.irb_history',
    '.lesshst',
    '.viminfo',
  ],
  ...['.local/share/atuin', '.ipython/profile_default/history.sqlite', '.local/state/python_history', '.local/share/nvim/shada'],
  // Paddock's own directories where PADDOCK_HOME or another variable names others.
  ...['.config/paddock', '.local/state/paddock', '.local/share/paddock', '.cache/paddock'],
]

/** Variables with the path of a file or directory of credentials or a history, or with several paths between colons. */
export const credentialVariables: readonly string[] = [
  ...['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE', 'KUBECONFIG', 'DOCKER_CONFIG', 'GNUPGHOME', 'NPM_CONFIG_USERCONFIG', 'NETRC'],
  ...['npm_config_userconfig', 'PIP_CONFIG_FILE', 'CLOUDSDK_CONFIG', 'GOOGLE_APPLICATION_CREDENTIALS', 'AZURE_CONFIG_DIR', 'GH_CONFIG_DIR'],
  ...[
    'GLAB_CONFIG_DIR',
    'GIT_CONFIG_GLOBAL',
    'PGPASSFILE',
    'XAUTHORITY',
    'HISTFILE',
    'PASSWORD_STORE_DIR',
    'SOPS_AGE_KEY_FILE',
    'REGISTRY_AUTH_FILE',
  ],
  ...['RCLONE_CONFIG', 'TF_CLI_CONFIG_FILE', 'BOTO_CONFIG', 'HF_TOKEN_PATH', 'KAGGLE_CONFIG_DIR', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME'],
]

/** Variables that move directories in which credential places are, with the directories in a home that they replace. */
export const movedDirectories: readonly (readonly [variable: string, directory: string])[] = [
  ['XDG_CONFIG_HOME', '.config'],
  ['XDG_DATA_HOME', '.local/share'],
  ['XDG_STATE_HOME', '.local/state'],
  ['XDG_CACHE_HOME', '.cache'],
  ['CARGO_HOME', '.cargo'],
  ['GRADLE_USER_HOME', '.gradle'],
  ['COMPOSER_HOME', '.config/composer'],
  ['PULUMI_HOME', '.pulumi'],
  ['HF_HOME', '.cache/huggingface'],
]

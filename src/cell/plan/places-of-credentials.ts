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
]

/**
 * The config of a git directory as a cell sees it. On the host the config is a link into `directory` (`isConfigAside`). In the cell, `view` is
 * mounted over `directory`: it has a copy of the config, which git in the cell can read and write.
 */
export interface ConfigView {
  /** The absolute path of the link. */
  readonly config: string
  readonly directory: string
  /** A directory in it that exists only for one cell. */
  readonly view: string
}

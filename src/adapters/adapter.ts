import type { RunLaterRow } from '../cell/plan/protected/row-kinds.ts'
import type { MountWish } from '../cell/plan/spec.ts'
import type { LoginFormat } from '../credentials/format.ts'
import type { CredentialPlace } from '../egress/placeholder/credential.ts'
import type { AllowEntry } from '../egress/policy/egress-policy.ts'
import type { InstructionFiles } from './instruction-files.ts'
import type { SessionNotes } from './last-session.ts'
import type { McpServer } from './mcp-server.ts'
import type { AgentEvent } from './output/agent-events.ts'
import type { Settings } from './settings.ts'

/** The vendor of a model, in lower case. `none`: the agent has no model. `various`: the adapter cannot determine the vendor. */
export type Family = string

/** The location of an agent's program on the host, and the paths that the cell must see to run it. */
export interface Installation {
  /** The absolute path of the program in the cell. */
  readonly program: string
  /** Directories and files that must be visible, read-only. */
  readonly mounts: readonly MountWish[]
  /** Directories to put in front of PATH, for example that of the `node` that the program needs. */
  readonly pathEntries: readonly string[]
  readonly version: string | null
}

export interface AgentWishes {
  readonly model: string | null
  /** Extra arguments, passed on unchanged. */
  readonly args: readonly string[]
  /** The root of a base URL that replaces the vendor's (a local model endpoint, a gateway), without the API's version (`/v1`). */
  readonly baseUrl: string | null
  /** The entry of `credentials` that the cell gets; null: no credential. Absent: the adapter's first. Some CLIs must be given its kind. */
  readonly credential?: CredentialSource | null
  /** The conversation to continue; null or absent: a new one. Only `headless` uses it. */
  readonly conversation?: string | null
  /** MCP servers for the agent; absent: no server. Only headless runs use them, and only with adapters with `usesMcp`, or over ACP. */
  readonly mcp?: readonly McpServer[]
  /** Settings of the CLI, for its settings file; those that the adapter needs take precedence. Only adapters with `reads` use them. */
  readonly config?: Settings | null
  /** False: the agent gets none of its own web tools. Only adapters with `withoutWebTools` can do that. Absent: it has them. */
  readonly webTools?: false
  /** Text for the agent's own instructions; null or absent: no text. The user's own take precedence if the CLI takes only one. */
  readonly instructions?: string | null
  /** The absolute path of the private home in the cell. */
  readonly home: string
  /** The absolute path of the agent's working directory in the cell. */
  readonly cwd: string
}

/** The command that starts an agent. The prompt itself is passed on standard input, never here. */
export interface AgentCommand {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Files that the private home needs before the start: path in the home, content, 0600. Existing ones are kept unless `overwrite`. */
  readonly homeFiles: readonly { readonly path: string; readonly content: string; readonly overwrite: boolean }[]
}

/** A way in which an agent gets its credential. Lists have the best way first. */
export type CredentialSource =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'snapshot'; readonly hostPath: string; readonly homePath: string }

/** The places where an agent's credential is sent, which the gateway needs to swap a placeholder for the credential. */
export interface CredentialUse {
  /**
   * Exact host names, port 443, with paths in the syntax of rules. Endpoints that issue further credentials for this one are not included.
   */
  readonly hosts: readonly { readonly host: string; readonly paths: readonly string[] }[]
  readonly places: readonly CredentialPlace[]
}

/** A login of the host without its secrets: the facts that its placeholder must show. */
export interface LoginFacts {
  /** The vendor, for an agent with several vendors; null for others. */
  readonly provider: string | null
  readonly kind: 'subscription' | 'key'
  readonly facts: Readonly<Record<string, unknown>>
}

/** Makes worthless values. */
export interface PlaceholderMaker {
  /** Returns random letters after a prefix. */
  word(prefix: string): string
  /** Returns a worthless text in the form of a JSON Web Token with these claims. */
  token(claims: Readonly<Record<string, unknown>>): string
}

/** The placeholder of a login, which a cell gets instead. */
export interface LoginPlaceholder<Login extends LoginFacts = LoginFacts> {
  readonly login: Login
  readonly use: CredentialUse
  /** The placeholder for the access token. */
  readonly access: string
  /** The renewal of the login by the CLI. The gateway answers such requests. Absent: the CLI never renews the login. */
  readonly renewal?: {
    readonly host: string
    readonly paths: readonly string[]
    /** The placeholder for the refresh token. */
    readonly refresh: string
    /** Returns the answer to a renewal, with another placeholder for the access token, in the vendor's form. */
    readonly reply: (access: string) => unknown
  }
}

/** The placeholders for an agent's credentials. Credentials whose part is absent reach the agent only without a placeholder. */
export interface PlaceholderSupport {
  /** The uses of keys, by the names of the keys' variables. */
  readonly keys: Readonly<Record<string, CredentialUse>>
  /** The last characters of the placeholders of keys, by variable, for a CLI that asks about each key whose ending it does not know. */
  readonly endings?: Readonly<Record<string, string>>
  /** The use of a stored login with another base URL, if the CLI supports that. */
  readonly storedElsewhere?: CredentialUse
  /**
   * Returns the files in the private home from which the CLI reads its stored logins, without logins that have no placeholder. Their expiry
   * dates depend on the current time.
   */
  stored?<Login extends LoginFacts>(
    logins: readonly Login[],
    make: PlaceholderMaker,
  ): {
    readonly files: readonly { readonly path: string; readonly content: string }[]
    readonly placeholders: readonly LoginPlaceholder<Login>[]
  }
}

/**
 * The way to start the CLI's own login. Its files are in `loginFormat`. The options are the CLI's; none was tried with its real service.
 */
export interface LoginWay {
  /** The arguments after the program. */
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Ports of the cell's loopback to which a browser is redirected. */
  readonly callbackPorts: readonly number[]
  /** The CLI's option for a login without a redirect of the browser. */
  readonly withoutCallback?: string
  /** True: the login works only in a terminal. */
  readonly needsTerminal?: boolean
  /** A short description of what the user must do. */
  readonly how: string
}

/**
 * How the web tools of a CLI are removed (`AgentWishes.webTools`). `settings`: by its settings and variables, so that it works with every command
 * line. `options`: by these options. `undone`: arguments of the user that could bring the tools back.
 */
export type WebToolRemoval =
  | { readonly by: 'settings' }
  | { readonly by: 'options'; readonly options: readonly string[]; readonly undone?: RegExp }

/** The facts about one agent CLI; its folder contains all of them. Only `locate` reads files, and some functions read the clock. */
export interface AgentAdapter {
  readonly name: string
  readonly family: Family
  /** True: the adapter was tested with the real CLI. False is reported in `doctor`, docs and output. */
  readonly tried: boolean
  /** The agent's reports: nothing, its steps and tokens, or also their cost. */
  readonly reports: 'nothing' | 'tokens' | 'cost'
  /** True: `AgentWishes.mcp` has an effect on a headless run. */
  readonly usesMcp?: true
  /** True: a request gives the whole command line. The program does not belong to a vendor that Paddock knows by name. */
  readonly takesCommand?: true
  /** The program's name in PATH. */
  readonly program: string
  /** A command for installing the program, as one line to paste. */
  readonly installHint: string
  /** The vendor's API and login hosts, for presets. */
  readonly hosts: readonly AllowEntry[]
  /**
   * The agent's own tool that brings text of others from the web even if the cell reaches only the model's API, because it runs at the
   * vendor: a phrase. Absent: no such tool is known.
   */
  readonly webTool?: string
  /** How the agent's own web tools are removed. Absent: Paddock knows no way. */
  readonly withoutWebTools?: WebToolRemoval
  /** The state directory relative to home, for example `.claude`. */
  readonly stateDirectory: string
  /**
   * Conversations, histories and logins in the private home, relative to it; `*` is any part of one name. All runs of a home share them, so
   * the agent must not run or obey them by itself. Everything else in its state directory counts as settings.
   */
  readonly homeData?: readonly string[]
  /**
   * The places in the private home, relative to it, where the agent finds the skills and the instructions of its user. It also has settings
   * there (`AgentWishes.config`). Absent: Paddock does not know such places.
   */
  readonly reads?: { readonly skills: string; readonly instructions: string }
  readonly credentials: (home: string) => readonly CredentialSource[]
  readonly placeholders: PlaceholderSupport
  /** Files that the agent runs or obeys later in a project: protected paths, and files that are reported at the end of a cell. */
  readonly runLater?: readonly RunLaterRow[]
  /** Files that the agent loads by itself from its working directory, or from a directory above or below it. */
  readonly instructionFiles?: InstructionFiles
  /**
   * The directories of the agent's installers, relative to the user's home, with programs and libraries. All cells see the `shown` ones.
   */
  readonly installedIn?: { readonly searched?: readonly string[]; readonly shown?: readonly string[] }
  /** Variables from which the agent reads a bundle of certificates, in addition to the common ones. */
  readonly bundleVariables?: readonly string[]
  /** The format of a stored login. Loaded on demand, because most commands do not use it. Absent: the agent stores no login. */
  readonly loginFormat?: () => Promise<LoginFormat>
  /** The way to log in; absent: the agent has no login. */
  readonly login?: LoginWay
  headless(wishes: AgentWishes, installation: Installation): AgentCommand
  interactive(wishes: AgentWishes, installation: Installation): AgentCommand
  /** Returns options for the model endpoint that also a command line of the caller's own needs. Absent: the variables and files suffice. */
  readonly endpointOptions?: (wishes: AgentWishes) => readonly string[]
  /** The way to continue an ended conversation; absent: not possible. */
  readonly sessions?: SessionNotes
  /** Searches the given PATH directories for the program; null: not installed. */
  locate(search: readonly string[]): Promise<Installation | null>
  /** Returns a new parser for the native output of one headless run. Loaded on demand, because a run has one agent. */
  parser(): Promise<AgentParser>
}

/** Turns native output into events. Never throws: unknown output becomes `unknown`. */
export interface AgentParser {
  /** Parses one line of standard output, without its newline. */
  line(text: string): readonly AgentEvent[]
  /**
   * Returns events from standard error and the exit code after the exit (login, limits). Exit code and typed events take precedence over
   * prose.
   */
  end(exit: { readonly code: number | null; readonly stderr: string }): readonly AgentEvent[]
}

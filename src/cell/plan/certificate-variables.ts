/**
 * How a program uses the certificates of a variable. `adds`: a file in addition to the program's own list. `replaces`: a file instead of it.
 * `directories`: directories with one certificate in each file. `text`: the certificates themselves.
 */
type CertificateUse = 'adds' | 'replaces' | 'directories' | 'text'

/** The variables that every cell with its own certificates has. */
const always: Readonly<Record<string, 'adds' | 'replaces'>> = {
  NODE_EXTRA_CA_CERTS: 'adds',
  DENO_CERT: 'adds',
  SSL_CERT_FILE: 'replaces',
  CURL_CA_BUNDLE: 'replaces',
  REQUESTS_CA_BUNDLE: 'replaces',
  GIT_SSL_CAINFO: 'replaces',
  CARGO_HTTP_CAINFO: 'replaces',
  PIP_CERT: 'replaces',
  AWS_CA_BUNDLE: 'replaces',
}

/** The variables of other programs, which also read the common ones or the usual files. A cell has them only if the user passes them. */
const passed: Readonly<Record<string, CertificateUse>> = {
  SSL_CERT_DIR: 'directories',
  GIT_SSL_CAPATH: 'directories',
  PERL_LWP_SSL_CA_PATH: 'directories',
  PERL_LWP_SSL_CA_FILE: 'replaces',
  HTTPS_CA_FILE: 'replaces',
  YARN_HTTPS_CA_FILE_PATH: 'replaces',
  BUNDLE_SSL_CA_CERT: 'replaces',
  GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: 'replaces',
  NIX_SSL_CERT_FILE: 'replaces',
  SYSTEM_CERTIFICATE_PATH: 'replaces',
  HTTPLIB2_CA_CERTS: 'replaces',
  CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE: 'replaces',
  HEX_CACERTS_PATH: 'replaces',
  JULIA_SSL_CA_ROOTS_PATH: 'replaces',
  CONAN_CACERT_PATH: 'replaces',
}

/** npm's own variables, whose names may have any case (npm-config(1)). */
const ofNpm: Readonly<Record<string, CertificateUse>> = { npm_config_cafile: 'replaces', npm_config_ca: 'text' }

/** Returns the variables that a cell with its own certificates has, with their use. `ofAgents`: the variables that agents read. */
export function certificateVariables(ofAgents: readonly string[]): Readonly<Record<string, 'adds' | 'replaces'>> {
  return { ...always, ...Object.fromEntries(ofAgents.map((each) => [each, 'replaces' as const])) }
}

/** Returns how programs use a variable; null if it does not name trusted certificates. */
export function certificateUse(name: string, ofAgents: readonly string[]): CertificateUse | null {
  const tables = [
    [certificateVariables(ofAgents), name],
    [passed, name],
    [ofNpm, name.toLowerCase()],
  ] as const
  for (const [table, key] of tables) if (Object.hasOwn(table, key)) return table[key] ?? null
  return null
}

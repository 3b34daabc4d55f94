import { PaddockError } from '../../base/errors.ts'

/** A secret in Azure Key Vault, in its newest version unless a version is named. */
export interface AzureRef {
  readonly vault: string
  readonly secret: string
  readonly version?: string
}

/**
 * The suffixes of the clouds: public, China, US government (learn.microsoft.com/azure/key-vault/general/about-keys-secrets-certificates).
 */
export const azureSuffixes = ['vault.azure.net', 'vault.azure.cn', 'vault.usgovcloudapi.net'] as const
export type AzureSuffix = (typeof azureSuffixes)[number]

const vaultName = /^[a-zA-Z][a-zA-Z0-9-]{1,22}[a-zA-Z0-9]$/
const secretName = /^[0-9a-zA-Z-]{1,127}$/
const versionName = /^[0-9a-fA-F]{32}$/

/**
 * Parses `azure-kv://vault/secret[/version]`. Nothing is decoded or normalised: any other form is refused, so no variant of the text can
 * name another host or path.
 * @throws PaddockError BAD_INPUT
 */
export function parseAzureRef(text: string, place: string): AzureRef {
  const refuse = (what: string, hint: string): PaddockError => new PaddockError('BAD_INPUT', `${place}: ${what}`, { hint })
  if (!text.startsWith('azure-kv://'))
    throw refuse('not a reference to Azure Key Vault.', 'Write azure-kv://vault/secret or azure-kv://vault/secret/version')
  const [vault = '', secret = '', version, ...more] = text.slice('azure-kv://'.length).split('/')
  if (!vaultName.test(vault))
    throw refuse(
      'the vault has no name that Azure gives.',
      'Give only its name, without a domain: 3 to 24 letters, digits and hyphens, starting with a letter',
    )
  if (!secretName.test(secret)) throw refuse('the secret has no name that Azure gives.', 'Use letters, digits and hyphens, at most 127')
  if (more.length > 0 || (version !== undefined && !versionName.test(version)))
    throw refuse('the part after the name of the secret is not a version.', 'Give 32 hexadecimal digits, or leave it out for the newest')
  return { vault, secret, ...(version === undefined ? {} : { version }) }
}

/** Returns the host of a vault. @throws PaddockError BAD_INPUT if the suffix is not one of Azure's */
export function azureHost(vault: string, suffix: string): string {
  if (!azureSuffixes.some((each) => each === suffix) || !vaultName.test(vault))
    throw new PaddockError('BAD_INPUT', `${vault.slice(0, 50)}.${suffix.slice(0, 100)} is not a host of Azure Key Vault.`, {
      hint: `Use ${azureSuffixes.join(', ')}`,
    })
  return `${vault.toLowerCase()}.${suffix}`
}
